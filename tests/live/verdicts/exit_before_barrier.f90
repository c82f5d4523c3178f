! SPDX-License-Identifier: BSD-3-Clause
!
! Rank 2 stops because of its input, without MPI_FINALIZE; the others are in the barrier.
!
! EXPECT collective-missing ranks 0-2 culprits 2 lines barrier
! RANKS 3
! LAUNCHER mpich -disable-auto-cleanup
! LAUNCHER openmpi --enable-recovery
! WITHOUT cores
! CHECK mpich openmpi
subroutine meet()
    implicit none
    include 'mpif.h'
    integer :: error
    call MPI_BARRIER(MPI_COMM_WORLD, error) ! LINE(barrier)
end subroutine meet

program exit_before_barrier
    implicit none
    include 'mpif.h'
    interface
        subroutine leave(status) bind(c, name='_exit')
            use, intrinsic :: iso_c_binding
            integer(c_int), value :: status
        end subroutine leave
    end interface
    integer :: rank, error
    logical :: there
    call MPI_INIT(error)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
    call MPI_BARRIER(MPI_COMM_WORLD, error)
    if (rank == 2) then
        inquire(file='/no/such/input', exist=there)
        if (.not. there) call leave(0)
    end if
    call meet()
    call MPI_FINALIZE(error)
end program exit_before_barrier
