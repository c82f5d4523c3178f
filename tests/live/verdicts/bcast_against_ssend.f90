! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 0 gives rank 1 its piece by a synchronous send and then broadcasts; rank 1 wants the broadcast first.
!
! EXPECT deadlock ranks 0,1 culprits 0,1 lines ssend,bcast
! RANKS 4
! CHECK openmpi
subroutine give(piece)
    use mpi
    implicit none
    double precision :: piece(8)
    integer :: error
    call MPI_Ssend(piece, 8, MPI_DOUBLE_PRECISION, 1, 2, MPI_COMM_WORLD, error) ! LINE(ssend)
end subroutine give

subroutine take(piece)
    use mpi
    implicit none
    double precision :: piece(8)
    integer :: error
    call MPI_Recv(piece, 8, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
end subroutine take

subroutine share(parameters)
    use mpi
    implicit none
    double precision :: parameters(8)
    integer :: error
    call MPI_Bcast(parameters, 8, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error) ! LINE(bcast)
end subroutine share

program bcast_against_ssend
    use mpi
    implicit none
    integer :: rank, error
    double precision :: piece(8), parameters(8)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    piece = 1
    parameters = 2
    if (rank == 0) call give(piece)
    call share(parameters)
    if (rank == 1) call take(piece)
    call MPI_Finalize(error)
end program bcast_against_ssend
