! SPDX-License-Identifier: BSD-3-Clause
!
! Three ranks each receive from the next one before they send; two others already wait in the barrier.
!
! EXPECT deadlock ranks 0-2 culprits 0-2 lines recv
! RANKS 5
! CHECK mpich openmpi, all forms
program recv_cycle_of_three
    use mpi_f08
    implicit none
    integer, parameter :: members = 3
    integer :: rank
    real :: mine(4), theirs(4)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    mine = real(rank)
    if (rank < members) call exchange(modulo(rank + 1, members), modulo(rank - 1, members))
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Finalize()

contains

    subroutine exchange(from, to)
        integer, intent(in) :: from, to
        call MPI_Recv(theirs, 4, MPI_REAL, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! LINE(recv)
        call MPI_Send(mine, 4, MPI_REAL, to, 1, MPI_COMM_WORLD)
    end subroutine exchange
end program recv_cycle_of_three
