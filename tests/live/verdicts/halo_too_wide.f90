! SPDX-License-Identifier: BSD-3-Clause
!
! Each rank sends its neighbours two columns; rank 2 has room for one only, ignores the error, and asks for what is
! missing: its neighbours are in the barrier.
!
! EXPECT size-mismatch ranks 1,2 culprits 1,2 lines send,receive,rest
! RANKS 4
! CHECK mpich
program halo_too_wide
    use mpi
    implicit none
    integer, parameter :: length = 100, element = MPI_DOUBLE_PRECISION
    double precision :: columns(2 * length), left(2 * length), right(2 * length)
    integer :: requests(4), statuses(MPI_STATUS_SIZE, 4)
    integer :: rank, size, before, after, room, error
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
    columns = rank
    before = rank - 1
    after = rank + 1
    if (before < 0) before = MPI_PROC_NULL
    if (after == size) after = MPI_PROC_NULL
    room = 2 * length
    if (rank == 2) room = length
    call MPI_Irecv(left, room, element, before, 1, MPI_COMM_WORLD, requests(1), error) ! LINE(receive)
    call MPI_Irecv(right, 2 * length, element, after, 2, MPI_COMM_WORLD, requests(2), error)
    call MPI_Isend(columns, 2 * length, element, after, 1, MPI_COMM_WORLD, requests(3), error) ! LINE(send)
    call MPI_Isend(columns, 2 * length, element, before, 2, MPI_COMM_WORLD, requests(4), error)
    call MPI_Waitall(4, requests, statuses, error)
    if (rank == 2) then
        call MPI_Recv(left, length, element, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error) ! LINE(rest)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
end program halo_too_wide
