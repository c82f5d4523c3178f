! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 0 computes and looks now and then, by MPI_Testall, for two messages; rank 2 has gone to the barrier without
! sending its one. What rank 3 may still send is not among them.
!
! EXPECT deadlock ranks 0,2 culprits 0,2 lines testall,barrier
! RANKS 4
! CHECK mpich
program testall_with_pauses
    use mpi
    implicit none
    integer, external :: told_to_end
    integer :: rank, error, values(3), requests(3)
    logical :: done
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    values = 0
    done = .false.
    if (rank == 0) then
        call MPI_Irecv(values(1), 1, MPI_INTEGER, 1, 4, MPI_COMM_WORLD, requests(1), error)
        call MPI_Irecv(values(2), 1, MPI_INTEGER, 2, 4, MPI_COMM_WORLD, requests(2), error)
        call MPI_Irecv(values(3), 1, MPI_INTEGER, 3, 5, MPI_COMM_WORLD, requests(3), error)
        do while (.not. done)
            call compute(10)
            call MPI_Testall(2, requests, done, MPI_STATUSES_IGNORE, error) ! LINE(testall)
        end do
    else if (rank == 1) then
        call MPI_Send(values, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, error)
    else if (rank == 3) then
        do while (told_to_end() == 0)
            call compute(10)
        end do
        call MPI_Send(values, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, error)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, error) ! LINE(barrier)
    call MPI_Finalize(error)
end program testall_with_pauses
