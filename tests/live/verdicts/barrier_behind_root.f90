! SPDX-License-Identifier: BSD-3-Clause
!
! The root of many broadcasts leaves out a barrier, and has forgotten long ago what it called instead.
!
! EXPECT collective-mismatch ranks 0-3 culprits 0 lines barrier,sum
! SAYS rank 0 has made 51 calls there, but none of that kind
! RANKS 4
! CHECK mpich
program barrier_behind_root
    use mpi
    implicit none
    integer :: rank, value, total, i, ierror

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    value = rank
    if (rank /= 0) call MPI_Barrier(MPI_COMM_WORLD, ierror) ! LINE(barrier)
    do i = 1, 50
        call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    end do
    call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror) ! LINE(sum)
    call MPI_Finalize(ierror)
end program barrier_behind_root
