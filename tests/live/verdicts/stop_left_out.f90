! SPDX-License-Identifier: BSD-3-Clause
!
! Master and workers. A worker that returns a result when there is no more work is told to stop, but for the one that
! returns the last result.
!
! EXPECT deadlock ranks 0-4 culprits 0 lines task,stop,barrier
! SAYS has sent its last messages to ranks
! RANKS 5
! CHECK mpich
program stop_left_out
  use mpi
  implicit none
  integer :: rank, size, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  if (rank == 0) then
    call hand_out(size - 1)
  else
    call work()
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr) ! LINE(barrier)
  call MPI_Finalize(ierr)

contains

  subroutine hand_out(workers)
    integer, intent(in) :: workers
    integer, parameter :: tasks = 20
    integer :: task(1), worker, results, ierr, status(MPI_STATUS_SIZE)
    integer :: result(1)
    do worker = 1, workers
      task(1) = worker
      call MPI_Send(task, 1, MPI_INTEGER, worker, 1, MPI_COMM_WORLD, ierr)
    end do
    do results = 1, tasks
      call MPI_Recv(result, 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, status, ierr)
      if (results + workers <= tasks) then
        task(1) = results + workers
        call MPI_Send(task, 1, MPI_INTEGER, status(MPI_SOURCE), 1, MPI_COMM_WORLD, ierr)
      else if (results < tasks) then
        task(1) = 0
        call MPI_Send(task, 1, MPI_INTEGER, status(MPI_SOURCE), 1, MPI_COMM_WORLD, ierr) ! LINE(stop)
      end if
    end do
  end subroutine hand_out

  subroutine work()
    integer :: task(1), ierr
    do
      call MPI_Recv(task, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! LINE(task)
      if (task(1) == 0) exit
      call MPI_Send(task, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, ierr)
    end do
  end subroutine work
end program stop_left_out
