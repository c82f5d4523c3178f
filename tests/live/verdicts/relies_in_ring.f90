! SPDX-License-Identifier: BSD-3-Clause
!
! A ring in which everybody sends first.
!
! EXPECT deadlock ranks 0-3 culprits 0-3 lines send
! SAYS relies on MPI buffering the message: --synchronous has made that visible
! RANKS 4
! START --synchronous
! CHECK mpich
program relies_in_ring
    use mpi
    implicit none
    integer :: rank, size, error, taken
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    call MPI_Send(rank, 1, MPI_INTEGER, mod(rank + 1, size), 0, MPI_COMM_WORLD, error) ! LINE(send)
    call MPI_Recv(taken, 1, MPI_INTEGER, mod(rank + size - 1, size), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    if (rank == 0) print '(a, i0)', 'received ', taken
    call MPI_Finalize(error)
end program relies_in_ring
