! SPDX-License-Identifier: BSD-3-Clause
!
! The root wants the sum of the whole table, the others give only the ten elements that they have.
!
! EXPECT collective-mismatch ranks 0-3 culprits 0 lines reduce
! RANKS 4
! CHECK mpich
program reduce_counts
    use mpi_f08
    implicit none
    integer, parameter :: table_length = 2**20
    double precision, save :: table(table_length), total(table_length)
    integer :: rank

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call add(merge(table_length, 10, rank == 0))
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Finalize()

contains

    subroutine add(length)
        integer, intent(in) :: length
        call MPI_Reduce(table, total, length, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD) ! LINE(reduce)
    end subroutine add
end program reduce_counts
