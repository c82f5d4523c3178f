! SPDX-License-Identifier: BSD-3-Clause
!
! Large nonblocking sends to each other that are waited for before the receives are posted.
!
! EXPECT deadlock ranks 0,1 culprits 0,1 lines isend
! RANKS 2
! CHECK openmpi
subroutine exchange(given, taken, length, other)
    implicit none
    include 'mpif.h'
    integer :: length, other, request, error
    double precision :: given(length), taken(length)
    integer :: status(MPI_STATUS_SIZE)
    call MPI_ISEND(given, length, MPI_DOUBLE_PRECISION, other, 3, MPI_COMM_WORLD, request, error) ! LINE(isend)
    call MPI_WAIT(request, status, error)
    call MPI_RECV(taken, length, MPI_DOUBLE_PRECISION, other, 3, MPI_COMM_WORLD, status, error)
end subroutine exchange

program isend_wait_cycle
    implicit none
    include 'mpif.h'
    integer, parameter :: length = 2**20
    double precision, save :: given(length), taken(length)
    integer :: rank, error
    call MPI_INIT(error)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
    given = rank
    call exchange(given, taken, length, 1 - rank)
    call MPI_FINALIZE(error)
end program isend_wait_cycle
