! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 3 expects nothing of rank 1, which is on the other side of an intercommunicator and gives it much.
!
! EXPECT collective-mismatch ranks 1,3 culprits 1,3 lines call
! SAYS rank 1 gives rank 3 1600000 bytes
! SAYS and rank 3 expects nothing
! RANKS 4
! CHECK openmpi
! ONLY openmpi
program unequal_across
    use mpi
    implicit none
    integer, parameter :: amount = 400000
    integer :: rank, error, side, part, other, given(2), expected(2), places(2)
    integer, allocatable :: out(:), into(:)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    side = rank / 2
    call MPI_Comm_split(MPI_COMM_WORLD, side, rank, part, error)
    call MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 2 - 2 * side, 5, other, error)
    allocate (out(2 * amount), into(2 * amount))
    out = rank
    given = amount
    expected = [amount, merge(0, amount, rank == 3)]
    places = [0, amount]
    call MPI_Alltoallv(out, given, places, MPI_INTEGER, into, expected, places, MPI_INTEGER, other, error) ! LINE(call)
    call MPI_Finalize(error)
end program
