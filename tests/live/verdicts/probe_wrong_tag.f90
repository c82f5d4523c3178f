! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 2 probes for the length of a list under another tag than the list is sent with.
!
! EXPECT tag-mismatch ranks 0,2 culprits 0,2 lines send,probe
! RANKS 3
! CHECK mpich
subroutine give(list)
    use mpi
    implicit none
    integer :: list(12), error
    call MPI_Send(list, 12, MPI_INTEGER, 2, 6, MPI_COMM_WORLD, error) ! LINE(send)
end subroutine give

subroutine take(list)
    use mpi
    implicit none
    integer :: list(12), error, length
    integer :: status(MPI_STATUS_SIZE)
    call MPI_Probe(0, 5, MPI_COMM_WORLD, status, error) ! LINE(probe)
    call MPI_Get_count(status, MPI_INTEGER, length, error)
    call MPI_Recv(list, length, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, status, error)
end subroutine take

program probe_wrong_tag
    use mpi
    implicit none
    integer :: rank, error, list(12)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    list = rank
    if (rank == 0) call give(list)
    if (rank == 2) call take(list)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
end program probe_wrong_tag
