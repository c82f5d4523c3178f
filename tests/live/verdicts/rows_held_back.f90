! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 sends row 5 to the others last, after it has got its edge from rank 3. Rank 2 gives rank 3 what it needs for
! that only when it has row 5.
!
! EXPECT deadlock ranks 1-3 culprits 1-3 lines row,edge,part
! RANKS 4
! CHECK openmpi
program rows_held_back
    use mpi
    implicit none
    integer, parameter :: rows = 8, last = 5, words = 16
    integer :: rank, row, ierror
    double precision :: values(words)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    values = 1
    if (rank == 1) then
        do row = 1, rows
            if (row == last) cycle
            call MPI_Send(values, words, MPI_DOUBLE_PRECISION, 0, row, MPI_COMM_WORLD, ierror)
            call MPI_Send(values, words, MPI_DOUBLE_PRECISION, 2, row, MPI_COMM_WORLD, ierror)
        end do
        call MPI_Recv(values, words, MPI_DOUBLE_PRECISION, 3, 0, MPI_COMM_WORLD, &
            MPI_STATUS_IGNORE, ierror) ! LINE(edge)
        call MPI_Send(values, words, MPI_DOUBLE_PRECISION, 0, last, MPI_COMM_WORLD, ierror)
        call MPI_Send(values, words, MPI_DOUBLE_PRECISION, 2, last, MPI_COMM_WORLD, ierror)
    else if (rank == 3) then
        call MPI_Recv(values, words, MPI_DOUBLE_PRECISION, 2, 0, MPI_COMM_WORLD, &
            MPI_STATUS_IGNORE, ierror) ! LINE(part)
        call MPI_Send(values, words, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, ierror)
    else
        do row = 1, rows
            call MPI_Recv(values, words, MPI_DOUBLE_PRECISION, 1, row, MPI_COMM_WORLD, &
                MPI_STATUS_IGNORE, ierror) ! LINE(row)
        end do
        if (rank == 2) call MPI_Send(values, words, MPI_DOUBLE_PRECISION, 3, 0, MPI_COMM_WORLD, ierror)
    end if
    call MPI_Finalize(ierror)
end program rows_held_back
