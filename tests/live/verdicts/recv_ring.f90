! SPDX-License-Identifier: BSD-3-Clause
!
! A ring of all ranks in which everyone receives first.
!
! EXPECT deadlock ranks 0-15 culprits 0-15 lines recv
! RANKS 16
! CHECK openmpi
subroutine pass(value, rank, ranks)
    implicit none
    include 'mpif.h'
    integer :: value, rank, ranks, error
    integer :: status(MPI_STATUS_SIZE)
    call MPI_RECV(value, 1, MPI_INTEGER, modulo(rank - 1, ranks), 7, MPI_COMM_WORLD, status, error) ! LINE(recv)
    value = value + rank
    call MPI_SEND(value, 1, MPI_INTEGER, modulo(rank + 1, ranks), 7, MPI_COMM_WORLD, error)
end subroutine pass

program recv_ring
    implicit none
    include 'mpif.h'
    integer :: rank, ranks, error, value
    call MPI_INIT(error)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
    call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
    value = 0
    call pass(value, rank, ranks)
    call MPI_FINALIZE(error)
end program recv_ring
