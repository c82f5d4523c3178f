! SPDX-License-Identifier: BSD-3-Clause
!
! A broadcast over an intercommunicator: rank 1, of the sending group, gives root 0 instead of MPI_PROC_NULL, and so waits
! for the other group.
!
! EXPECT collective-mismatch ranks 0-3 culprits 1 lines sent
! RANKS 4
! CHECK mpich openmpi, all forms
program root_across
  use mpi
  implicit none
  integer :: rank, local, half, both, root, ierr
  integer :: buffer(1)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, half, ierr)
  call MPI_Comm_rank(half, local, ierr)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(2, 0, rank < 2), 1, both, ierr)
  buffer = rank
  root = 0
  if (rank == 0) root = MPI_ROOT
  call MPI_Bcast(buffer, 1, MPI_INTEGER, root, both, ierr) ! LINE(sent)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program root_across
