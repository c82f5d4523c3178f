! SPDX-License-Identifier: BSD-3-Clause
!
! Hang: handles of every kind in variables of mpi_f08, and one as an integer, for gdb to print.
program handles
    use mpi_f08
    implicit none
    integer :: rank, integer_row, integer_null
    integer, asynchronous :: got(4), value = 7
    real(kind=kind(1d0)), asynchronous :: numbers(8) = 0
    type(MPI_Comm) :: world, row, freed, stale, null_comm, garbage
    type(MPI_Datatype) :: basic, column
    type(MPI_Group) :: row_group
    type(MPI_Op) :: op
    type(MPI_Errhandler) :: errhandler
    type(MPI_Info) :: info
    type(MPI_Win) :: window
    type(MPI_File) :: file
    type(MPI_Request) :: pending, inactive, null_request
    type(MPI_Status) :: status
    integer, asynchronous :: window_memory(4) = 0
    integer(kind=MPI_ADDRESS_KIND) :: bytes = 16
    character(len=512) :: directory
    procedure(MPI_User_function) :: keep_first
    procedure(MPI_Comm_errhandler_function) :: handle_error
    interface
        subroutine alarm_c(seconds) bind(c, name='alarm')
            use, intrinsic :: iso_c_binding
            integer(c_int), value :: seconds
        end subroutine
    end interface

    call alarm_c(300)
    call MPI_Init()
    world = MPI_COMM_WORLD
    basic = MPI_DOUBLE_PRECISION
    null_comm = MPI_COMM_NULL
    null_request = MPI_REQUEST_NULL
    garbage%mpi_val = 1515870810
    call MPI_Comm_rank(world, rank)
    call MPI_Cart_create(world, 2, [2, 1], [.true., .false.], .false., row) ! LINE(row)
    call MPI_Comm_set_name(row, 'row')
    integer_row = row%mpi_val
    integer_null = null_comm%mpi_val
    call MPI_Type_vector(4, 1, 2, basic, column) ! LINE(column)
    call MPI_Type_set_name(column, 'column')
    call MPI_Type_commit(column)
    call MPI_Comm_group(row, row_group) ! LINE(group)
    call MPI_Op_create(keep_first, .true., op) ! LINE(op)
    call MPI_Comm_create_errhandler(handle_error, errhandler) ! LINE(errhandler)
    call MPI_Comm_set_errhandler(row, errhandler)
    call MPI_Info_create(info) ! LINE(info)
    call MPI_Info_set(info, 'access_style', 'write_once')
    call MPI_Win_create(window_memory, bytes, 4, MPI_INFO_NULL, row, window) ! LINE(window)
    call MPI_Win_set_name(window, 'halo')
    call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window) ! LINE(lock)
    call get_environment_variable('MPILENS_LIVE_DIRECTORY', directory)
    call MPI_File_open(row, trim(directory) // '/data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file) ! LINE(file)
    call MPI_Sendrecv(numbers, 1, column, rank, 5, numbers, 4, basic, rank, 5, world, status)
    call MPI_Comm_dup(world, freed) ! LINE(freed)
    call MPI_Irecv(got, 4, MPI_INTEGER, 1 - rank, 8, freed, pending) ! LINE(pending)
    stale = freed
    call MPI_Comm_free(freed) ! LINE(free)
    call MPI_Send_init(numbers, 3, basic, 1 - rank, 4, row, inactive) ! LINE(inactive)
    call MPI_Recv(value, 1, MPI_INTEGER, 1 - rank, 3, row, status) ! LINE(recv)
    print *, stale == garbage, null_comm == stale, null_request == inactive, integer_row, integer_null
    call MPI_Finalize()

end program

subroutine keep_first(left, right, count, datatype)
    use, intrinsic :: iso_c_binding
    use mpi_f08
    implicit none
    type(c_ptr), value :: left, right
    integer :: count
    type(MPI_Datatype) :: datatype
    if (count < 0 .or. datatype == MPI_INTEGER .or. c_associated(left, right)) stop 1
end subroutine

subroutine handle_error(comm, code)
    use mpi_f08
    implicit none
    type(MPI_Comm) :: comm
    integer :: code
    if (comm /= MPI_COMM_NULL .or. code /= 0) stop 1
end subroutine
