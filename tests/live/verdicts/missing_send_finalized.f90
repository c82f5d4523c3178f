! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 has no data of its own, skips its part and finalizes; rank 2 waits for its part.
!
! EXPECT waiting-for-rank ranks 1,2 culprits 1 lines recv
! RANKS 3
! CHECK mpich
subroutine collect(values, source)
    implicit none
    include 'mpif.h'
    integer :: values(10), source, error
    integer :: status(MPI_STATUS_SIZE)
    call MPI_RECV(values, 10, MPI_INTEGER, source, 1, MPI_COMM_WORLD, status, error) ! LINE(recv)
end subroutine collect

program missing_send_finalized
    implicit none
    include 'mpif.h'
    integer :: rank, source, error, values(10), lengths(0:2)
    call MPI_INIT(error)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
    lengths = (/ 10, 0, 10 /)
    values = rank
    if (rank == 2) then
        do source = 0, 1
            call collect(values, source)
        end do
    else if (lengths(rank) > 0) then
        call MPI_SEND(values, 10, MPI_INTEGER, 2, 1, MPI_COMM_WORLD, error)
    end if
    call MPI_FINALIZE(error)
end program missing_send_finalized
