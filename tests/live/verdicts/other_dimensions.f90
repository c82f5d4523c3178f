! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 computes the dimensions of the grid from another number of rows: its grid has two ranks, that of the others has four.
!
! EXPECT collective-mismatch ranks 0-3 culprits 1 lines grid
! SAYS calls MPI_Cart_create with dims 1 2, periods 1 0, reorder 0
! SAYS where the others call it with dims 2 2, periods 1 0, reorder 0
! RANKS 4
! CHECK mpich
! ONLY mpich
program other_dimensions
    use mpi
    implicit none
    integer :: rank, error, grid, dims(2)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    dims = [merge(1, 2, rank == 1), 2]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid, error) ! LINE(grid)
    if (grid /= MPI_COMM_NULL) call MPI_Barrier(grid, error)
    call MPI_Finalize(error)
end program
