! SPDX-License-Identifier: BSD-3-Clause
!
! Master and workers in procedures of a module; worker 2 takes its third piece and gives no result for it.
!
! EXPECT deadlock ranks 0-3 culprits 0-3 lines result,work,answer
! RANKS 4
! CHECK openmpi
module farm
    use mpi_f08
    implicit none
    integer, parameter :: tag_work = 1, tag_result = 2, tag_stop = 3, pieces = 60, in_advance = 3
contains
    subroutine hand_out(workers)
        integer, intent(in) :: workers
        integer :: next, done
        double precision :: result
        type(MPI_Status) :: status
        do next = 1, in_advance * workers
            call MPI_Send(next, 1, MPI_INTEGER, 1 + modulo(next, workers), tag_work, MPI_COMM_WORLD)
        end do
        next = in_advance * workers + 1
        do done = 1, pieces
            call MPI_Recv(result, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, tag_result, MPI_COMM_WORLD, status) ! LINE(result)
            if (next > pieces) cycle
            call MPI_Send(next, 1, MPI_INTEGER, status%MPI_SOURCE, tag_work, MPI_COMM_WORLD)
            next = next + 1
        end do
        do next = 1, workers
            call MPI_Send(next, 0, MPI_INTEGER, next, tag_stop, MPI_COMM_WORLD)
        end do
    end subroutine

    subroutine work_off(rank)
        integer, intent(in) :: rank
        integer :: piece, number
        double precision :: result
        type(MPI_Status) :: status
        number = 0
        do
            call MPI_Recv(piece, 1, MPI_INTEGER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status) ! LINE(work)
            if (status%MPI_TAG == tag_stop) return
            number = number + 1
            result = 2 * piece
            if (rank == 2 .and. number == 3) cycle
            call MPI_Send(result, 1, MPI_DOUBLE_PRECISION, 0, tag_result, MPI_COMM_WORLD) ! LINE(answer)
        end do
    end subroutine
end module farm

program worker_drops_result
    use farm
    implicit none
    integer :: rank, ranks
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    if (rank == 0) then
        call hand_out(ranks - 1)
    else
        call work_off(rank)
    end if
    call MPI_Finalize()
end program worker_drops_result
