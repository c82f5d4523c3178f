! SPDX-License-Identifier: BSD-3-Clause
!
! Sender and receiver count their steps from different numbers, and the step is the tag.
!
! EXPECT tag-mismatch ranks 0,1 culprits 0,1 lines ssend,recv
! RANKS 2
! CHECK openmpi
program ssend_wrong_tag
    use mpi_f08
    implicit none
    integer, parameter :: steps = 5
    integer :: rank
    real :: field(100)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    field = real(rank)
    if (rank == 0) then
        call produce()
    else
        call consume()
    end if
    call MPI_Finalize()

contains

    subroutine produce()
        integer :: step
        do step = 0, steps - 1
            call MPI_Ssend(field, 100, MPI_REAL, 1, step, MPI_COMM_WORLD) ! LINE(ssend)
        end do
    end subroutine produce

    subroutine consume()
        integer :: step
        do step = 1, steps
            call MPI_Recv(field, 100, MPI_REAL, 0, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! LINE(recv)
        end do
    end subroutine consume
end program ssend_wrong_tag
