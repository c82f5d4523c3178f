! SPDX-License-Identifier: BSD-3-Clause
!
! An iteration that ends by the local error instead of the global one: rank 1 is done early and finalizes.
!
! EXPECT collective-missing ranks 0-3 culprits 1 lines allreduce
! RANKS 4
! CHECK mpich
subroutine largest(mine, all)
    use mpi
    implicit none
    double precision :: mine, all
    integer :: error
    call MPI_Allreduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error) ! LINE(allreduce)
end subroutine largest

program left_allreduce_loop
    use mpi
    implicit none
    integer :: rank, error
    double precision :: mine, all
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    mine = 1
    do while (mine > 1d-6)
        mine = mine / merge(8, 2, rank == 1)
        call largest(mine, all)
    end do
    call MPI_Finalize(error)
end program left_allreduce_loop
