! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 computes its sum before the others' lists are gathered, everyone else after it.
!
! EXPECT collective-mismatch ranks 0-4 culprits 1 lines gather,sum
! RANKS 5
! CHECK mpich
subroutine gather(mine, list)
    use mpi
    implicit none
    integer :: mine, list(5), error
    call MPI_Allgather(mine, 1, MPI_INTEGER, list, 1, MPI_INTEGER, MPI_COMM_WORLD, error) ! LINE(gather)
end subroutine gather

subroutine add(mine, total)
    use mpi
    implicit none
    integer :: mine, total, error
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error) ! LINE(sum)
end subroutine add

program allgather_allreduce_swapped
    use mpi
    implicit none
    integer :: rank, error, total, list(5)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    if (rank == 1) then
        call add(rank, total)
        call gather(rank, list)
    else
        call gather(rank, list)
        call add(rank, total)
    end if
    call MPI_Finalize(error)
end program allgather_allreduce_swapped
