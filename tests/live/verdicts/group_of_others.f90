! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 gives the members of the group in another order.
!
! EXPECT collective-mismatch ranks 0-2 culprits 1 lines create
! SAYS with different groups: rank 1 is in MPI_Comm_create_group(ranks [0,2,1], tag 7, MPI_COMM_WORLD)
! RANKS 4
! CHECK mpich
! ONLY mpich
program group_of_others
    use mpi
    implicit none
    integer :: rank, error, all, members, made
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_group(MPI_COMM_WORLD, all, error)
    call MPI_Group_incl(all, 3, merge([0, 2, 1], [0, 1, 2], rank == 1), members, error)
    if (rank < 3) call MPI_Comm_create_group(MPI_COMM_WORLD, members, 7, made, error) ! LINE(create)
    call MPI_Finalize(error)
end program
