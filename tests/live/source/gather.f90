! SPDX-License-Identifier: BSD-3-Clause
!
! The last rank gathers and the others reduce.
program gather
    use mpi
    implicit none
    integer :: rank, ranks, error, one, all(16)
    one = 1
    call mpi_init(error)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
    call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
    if (rank == ranks - 1) then
        call mpi_gather(one, 1, MPI_INTEGER, all, 1, MPI_INTEGER, rank, MPI_COMM_WORLD, error) ! LINE(gather)
    end if
    call mpi_allreduce(one, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error) ! LINE(allreduce)
    call mpi_finalize(error)
end program gather
