! SPDX-License-Identifier: BSD-3-Clause
!
! Each of two ranks takes the other one for the root.
!
! EXPECT collective-mismatch ranks 0,1 culprits 0,1 lines bcast
! RANKS 2
! CHECK mpich
subroutine share(values, root)
    implicit none
    include 'mpif.h'
    integer :: root, error
    double precision :: values(20)
    call MPI_BCAST(values, 20, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, error) ! LINE(bcast)
end subroutine share

program bcast_roots
    implicit none
    include 'mpif.h'
    integer :: rank, error
    double precision :: values(20)
    call MPI_INIT(error)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
    values = rank
    call share(values, 1 - rank)
    call MPI_FINALIZE(error)
end program bcast_roots
