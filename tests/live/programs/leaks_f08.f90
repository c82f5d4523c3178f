! SPDX-License-Identifier: BSD-3-Clause
!
! What is made and not freed, see leaks.c.
program leaks_f08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: datatype
  type(MPI_Info) :: info
  integer :: rank, i
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  do i = 1, 7
    call MPI_Comm_split(MPI_COMM_WORLD, 0, rank, comm) ! LEAK 7 communicator at 0,1
  end do
  if (rank == 1) then
    call MPI_Type_contiguous(2, MPI_INTEGER, datatype) ! LEAK 1 datatype at 1
  end if
  call MPI_Type_contiguous(3, MPI_INTEGER, datatype)
  call MPI_Type_free(datatype)
  call MPI_Info_create(info) ! LEAK 1 info at 0,1
  call MPI_Finalize()
end program leaks_f08
