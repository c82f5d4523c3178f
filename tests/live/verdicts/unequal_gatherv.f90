! SPDX-License-Identifier: BSD-3-Clause
!
! The root expects nothing of rank 1, which gives it much, and leaves the call.
!
! EXPECT collective-mismatch ranks 0,1 culprits 0,1 lines call
! SAYS rank 1 gives rank 0 800000 bytes
! SAYS and rank 0 expects nothing
! RANKS 3
! CHECK mpich
program unequal_gatherv
    use mpi
    implicit none
    integer, parameter :: amount = 100000
    integer :: rank, error, counts(3), places(3)
    double precision, allocatable :: given(:), gathered(:)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    allocate (given(amount), gathered(3 * amount))
    given = rank
    counts = [amount, 0, amount]
    places = [0, amount, 2 * amount]
    call MPI_Gatherv(given, amount, MPI_DOUBLE_PRECISION, gathered, counts, places, &
                     MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error) ! LINE(call)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
end program
