! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 0 sends each worker its items, each with a tag of its own, and leaves one out for rank 2.
!
! EXPECT no-match ranks 2 culprits 0 lines receive
! SAYS rank 0 has not sent it tag 800, but 4 later ones
! SAYS have rank 0 send rank 2 the message with tag 800
! RANKS 4
! CHECK mpich
program tag_left_out
    use mpi
    implicit none
    integer, parameter :: items = 12, left_out = 8, words = 16
    integer :: rank, ranks, item, worker, ierror
    double precision :: values(words)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    values = 1
    do item = 1, items
        if (rank > 0) then
            call MPI_Recv(values, words, MPI_DOUBLE_PRECISION, 0, 100 * item, MPI_COMM_WORLD, &
                MPI_STATUS_IGNORE, ierror) ! LINE(receive)
            cycle
        end if
        do worker = 1, ranks - 1
            if (worker == 2 .and. item == left_out) cycle
            call MPI_Send(values, words, MPI_DOUBLE_PRECISION, worker, 100 * item, MPI_COMM_WORLD, ierror)
        end do
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program tag_left_out
