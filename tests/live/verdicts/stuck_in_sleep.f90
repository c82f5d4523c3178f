! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 1 sleeps until a file comes that never comes; the others have waited in the barrier for longer than the patience.
!
! EXPECT waiting-for-rank ranks 0-2 culprits 1 lines wait|sleep,barrier
! RANKS 3
! WITHOUT boxes
! OPTIONS --patience 1
! CHECK mpich
subroutine wait_for_file(name)
    implicit none
    character(len=*) :: name
    logical :: there
    there = .false.
    do while (.not. there)
        inquire(file=name, exist=there) ! LINE(wait)
        call sleep(1) ! LINE(sleep)
    end do
end subroutine wait_for_file

subroutine meet()
    implicit none
    include 'mpif.h'
    integer :: error
    call MPI_BARRIER(MPI_COMM_WORLD, error) ! LINE(barrier)
end subroutine meet

program stuck_in_sleep
    implicit none
    include 'mpif.h'
    integer :: rank, error
    call MPI_INIT(error)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
    if (rank == 1) call wait_for_file('/no/such/file')
    call meet()
    call MPI_FINALIZE(error)
end program stuck_in_sleep
