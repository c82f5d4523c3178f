! SPDX-License-Identifier: BSD-3-Clause
!
! Large messages to a rank that computes and only then receives: their senders wait for long.
!
! EXPECT none
! RANKS 3
! CHECK mpich
program late_receiver
    use mpi_f08
    implicit none
    integer, parameter :: length = 2**20
    integer, external :: told_to_end
    double precision, save :: field(length)
    integer :: rank, source

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    field = rank
    if (rank == 0) then
        do while (told_to_end() == 0)
            call compute(20)
        end do
        do source = 1, 2
            call MPI_Recv(field, length, MPI_DOUBLE_PRECISION, source, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        end do
    else
        call MPI_Send(field, length, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD)
    end if
    call MPI_Finalize()
end program late_receiver
