! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 computes for long before it comes to the collective write that the others are in.
!
! EXPECT none
! RANKS 3
! CHECK openmpi
program late_to_write_all
    use mpi
    implicit none
    integer, external :: told_to_end
    integer :: rank, error, file
    integer :: row(16)
    character(len=4096) :: directory
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call get_environment_variable('MPILENS_LIVE_DIRECTORY', directory)
    call MPI_File_open(MPI_COMM_WORLD, trim(directory) // '/late', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, error)
    row = rank
    if (rank == 1) then
        do while (told_to_end() == 0)
            call compute(10)
        end do
    end if
    call MPI_File_write_all(file, row, 16, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    call MPI_File_close(file, error)
    call MPI_Finalize(error)
end program late_to_write_all
