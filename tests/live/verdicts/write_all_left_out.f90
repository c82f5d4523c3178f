! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 has no rows of the last block and leaves out the collective write of it.
!
! EXPECT collective-missing ranks 0-2 culprits 1 lines write,barrier
! RANKS 3
! CHECK mpich openmpi
program write_all_left_out
    use mpi
    implicit none
    integer, parameter :: blocks = 3
    integer :: rank, error, file, block
    integer :: row(16)
    character(len=4096) :: directory
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call get_environment_variable('MPILENS_LIVE_DIRECTORY', directory)
    call MPI_File_open(MPI_COMM_WORLD, trim(directory) // '/rows', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, error)
    row = rank
    do block = 1, blocks
        if (rank == 1 .and. block == blocks) exit
        call MPI_File_write_all(file, row, 16, MPI_INTEGER, MPI_STATUS_IGNORE, error) ! LINE(write)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, error) ! LINE(barrier)
    call MPI_File_close(file, error)
    call MPI_Finalize(error)
end program write_all_left_out
