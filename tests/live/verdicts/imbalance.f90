! SPDX-License-Identifier: BSD-3-Clause
!
! Badly balanced work before a collective: the higher the rank, the later it comes.
!
! EXPECT none
! RANKS 4
! CHECK openmpi
program imbalance
    use mpi
    implicit none
    integer, external :: told_to_end
    integer :: rank, error, end_here, end_anywhere
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    end_anywhere = 0
    do while (end_anywhere == 0)
        call compute(150 * rank)
        end_here = told_to_end()
        call MPI_Allreduce(end_here, end_anywhere, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
    end do
    call MPI_Finalize(error)
end program imbalance
