! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 sleeps, far below the patience of 60 s, and the others wait for its message and in the barrier.
!
! EXPECT none
! RANKS 3
! CHECK mpich
program sleeping_rank
    implicit none
    include 'mpif.h'
    integer, external :: told_to_end
    integer :: rank, error, value
    integer :: status(MPI_STATUS_SIZE)
    call MPI_INIT(error)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
    value = rank
    if (rank == 1) then
        do while (told_to_end() == 0)
            call sleep(1)
        end do
        call MPI_SEND(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, error)
    else if (rank == 0) then
        call MPI_RECV(value, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, status, error)
    end if
    call MPI_BARRIER(MPI_COMM_WORLD, error)
    call MPI_FINALIZE(error)
end program sleeping_rank
