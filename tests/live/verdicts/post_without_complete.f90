! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 exposes its memory to rank 0, which never completes its access: it waits for a message that rank 1 sends after
! the epoch.
!
! EXPECT window-wait ranks 0,1 culprits 0 lines wait
! RANKS 2
! CHECK openmpi
program post_without_complete
    use mpi_f08
    implicit none
    integer :: rank
    integer, asynchronous :: memory(4), answer
    type(MPI_Win) :: window
    type(MPI_Group) :: all, other

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
    call MPI_Comm_group(MPI_COMM_WORLD, all)
    call MPI_Group_incl(all, 1, [1 - rank], other)
    if (rank == 0) then
        call access()
    else
        call expose()
    end if
    call MPI_Win_free(window)
    call MPI_Finalize()

contains

    subroutine access()
        call MPI_Win_start(other, 0, window)
        call MPI_Put(rank, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, window)
        call MPI_Recv(answer, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        call MPI_Win_complete(window)
    end subroutine access

    subroutine expose()
        call MPI_Win_post(other, 0, window)
        call MPI_Win_wait(window) ! LINE(wait)
        call MPI_Send(memory, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD)
    end subroutine expose
end program post_without_complete
