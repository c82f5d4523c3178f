! SPDX-License-Identifier: BSD-3-Clause
!
! A pipeline whose last stage is slow: the others wait most of the time, in synchronous sends and in receives.
!
! EXPECT none
! RANKS 5
! CHECK mpich
program pipeline
    use mpi_f08
    implicit none
    integer, parameter :: last_item = -1
    integer, external :: told_to_end
    integer :: rank, ranks, item

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    item = 0
    do while (item /= last_item)
        if (rank > 0) then
            call MPI_Recv(item, 1, MPI_INTEGER, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        else
            item = merge(last_item, item + 1, told_to_end() /= 0)
        end if
        if (rank < ranks - 1) then
            call MPI_Ssend(item, 1, MPI_INTEGER, rank + 1, 1, MPI_COMM_WORLD)
        else
            call compute(100)
        end if
    end do
    call MPI_Finalize()
end program pipeline
