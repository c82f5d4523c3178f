! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 0 sends its list in four blocks, rank 1 receives two of twice that size: it goes on with two short ones.
!
! EXPECT deadlock ranks 0,1 culprits 0,1 lines send,barrier
! RANKS 2
! CHECK openmpi
subroutine send_block(block, length)
    use mpi
    implicit none
    integer :: length, error
    double precision :: block(length)
    call MPI_Ssend(block, length, MPI_DOUBLE_PRECISION, 1, 1, MPI_COMM_WORLD, error) ! LINE(send)
end subroutine send_block

subroutine meet()
    use mpi
    implicit none
    integer :: error
    call MPI_Barrier(MPI_COMM_WORLD, error) ! LINE(barrier)
end subroutine meet

program block_sizes
    use mpi
    implicit none
    integer, parameter :: length = 100
    double precision :: list(length)
    integer :: rank, block, error
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    list = rank
    if (rank == 0) then
        do block = 1, 4
            call send_block(list, length / 4)
        end do
    else
        do block = 1, 2
            call MPI_Recv(list, length / 2, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        end do
    end if
    call meet()
    call MPI_Finalize(error)
end program block_sizes
