! SPDX-License-Identifier: BSD-3-Clause
!
! The two sides of an intercommunicator are made with different tags.
!
! EXPECT collective-mismatch ranks 0,2 culprits 0,2 lines call
! SAYS look for each other with different tags
! RANKS 4
! CHECK openmpi
program leaders_of_other_tags
    use mpi
    implicit none
    integer :: rank, side, part, other, error
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    side = rank / 2
    call MPI_Comm_split(MPI_COMM_WORLD, side, rank, part, error)
    call MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 2 - 2 * side, 10 + side, other, error) ! LINE(call)
    call MPI_Finalize(error)
end program
