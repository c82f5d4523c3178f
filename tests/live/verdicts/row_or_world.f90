! SPDX-License-Identifier: BSD-3-Clause
!
! Two rows of two ranks. In row 1 the first member sends by the row's communicator, the second one receives by
! MPI_COMM_WORLD from the same process.
!
! EXPECT communicator-mismatch ranks 2,3 culprits 2,3 lines send,recv
! RANKS 4
! CHECK openmpi
subroutine send_in_row(value, row)
    use mpi
    implicit none
    integer :: value, row, error
    call MPI_Send(value, 1, MPI_INTEGER, 1, 4, row, error) ! LINE(send)
end subroutine send_in_row

subroutine receive(value, source, communicator)
    use mpi
    implicit none
    integer :: value, source, communicator, error
    call MPI_Recv(value, 1, MPI_INTEGER, source, 4, communicator, MPI_STATUS_IGNORE, error) ! LINE(recv)
end subroutine receive

program row_or_world
    use mpi
    implicit none
    integer :: rank, row, column, error, value
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, row, error)
    call MPI_Comm_rank(row, column, error)
    value = rank
    if (column == 0) then
        call send_in_row(value, row)
    else if (rank == 1) then
        call receive(value, 0, row)
    else
        call receive(value, 2, MPI_COMM_WORLD)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
end program row_or_world
