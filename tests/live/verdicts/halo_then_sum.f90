! SPDX-License-Identifier: BSD-3-Clause
!
! A halo exchange on a line of ranks, of which the last makes as many steps as the others with one neighbour less, then
! a sum that the first ranks reach long before the last.
!
! EXPECT none
! RANKS 4
! CHECK openmpi
program halo_then_sum
    use mpi
    implicit none
    integer, external :: told_to_end
    integer :: ierror, rank, ranks, step, left, right, here, last
    double precision :: edges(4), mine, total
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
    edges = rank
    last = 0
    do while (last == 0)
        do step = 1, 5
            call MPI_Sendrecv(edges(1), 1, MPI_DOUBLE_PRECISION, left, 7, edges(4), 1, MPI_DOUBLE_PRECISION, &
                              right, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
            if (rank == ranks - 1) call compute(60)
            call MPI_Sendrecv(edges(2), 1, MPI_DOUBLE_PRECISION, right, 7, edges(3), 1, MPI_DOUBLE_PRECISION, &
                              left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        end do
        mine = sum(edges)
        call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
        here = told_to_end()
        call MPI_Allreduce(here, last, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierror)
    end do
    call MPI_Finalize(ierror)
end program halo_then_sum
