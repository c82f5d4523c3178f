! SPDX-License-Identifier: BSD-3-Clause
!
! As refused.c tells, from Fortran:
!
!   refused return|handlers     rank 0 makes calls that MPI refuses, and prints the class of each error and which
!                                   handlers were called with which classes
!   refused fatal NUMBER        makes only the call with this number, which ends the job
! Makes the call and tells of it.
#define REFUSED(what, statement) if (is_chosen()) then; statement; call tell('what'); end if

module refused_handlers
    use mpi
    implicit none
    integer :: handled(3) = 0, classes(3) = 0
contains
    subroutine handle(which, error)
        integer, intent(in) :: which, error
        integer :: error_class, ierror
        call MPI_Error_class(error, error_class, ierror)
        handled(which) = handled(which) + 1
        classes(which) = classes(which) + error_class
    end subroutine

    subroutine handle_of_communicator(communicator, error)
        integer :: communicator, error
        call handle(1, error)
    end subroutine

    subroutine handle_of_window(window, error)
        integer :: window, error
        call handle(2, error)
    end subroutine

    subroutine handle_of_file(file, error)
        integer :: file, error
        call handle(3, error)
    end subroutine
end module

program refused_f90
    use mpi
    use refused_handlers
    implicit none
    integer :: ierror, rank, window, chosen = 0, number = 0
    integer :: values(4) = 0, others(4) = 0, request, status(MPI_STATUS_SIZE), requests(2), made, flag_count
    integer :: statuses(MPI_STATUS_SIZE, 2), counts(2) = 1, places(2) = [0, 1]
    integer(MPI_ADDRESS_KIND) :: window_bytes = 16, place = 0
    logical :: flag
    character(len=16) :: manner, argument

    call get_command_argument(1, manner)
    call get_command_argument(2, argument)
    if (len_trim(argument) > 0) read (argument, *) chosen
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Win_create(values, window_bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
    call set_handlers()
    if (rank == 0) call make_refused_calls()
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_free(window, ierror)
    call MPI_Finalize(ierror)

contains
    subroutine set_handlers()
        integer :: communicators, windows, files
        select case (manner)
        case ('handlers')
            call MPI_Comm_create_errhandler(handle_of_communicator, communicators, ierror)
            call MPI_Win_create_errhandler(handle_of_window, windows, ierror)
            call MPI_File_create_errhandler(handle_of_file, files, ierror)
        case ('return')
            communicators = MPI_ERRORS_RETURN
            windows = MPI_ERRORS_RETURN
            files = MPI_ERRORS_RETURN
        case default
            communicators = MPI_ERRORS_ARE_FATAL
            windows = MPI_ERRORS_ARE_FATAL
            files = MPI_ERRORS_ARE_FATAL
        end select
        call MPI_Comm_set_errhandler(MPI_COMM_WORLD, communicators, ierror)
        call MPI_Comm_set_errhandler(MPI_COMM_SELF, communicators, ierror)
        call MPI_Win_set_errhandler(window, windows, ierror)
        call MPI_File_set_errhandler(MPI_FILE_NULL, files, ierror)
    end subroutine

    logical function is_chosen()
        number = number + 1
        is_chosen = chosen == 0 .or. number == chosen
    end function

    subroutine tell(name)
        character(len=*), intent(in) :: name
        integer :: error_class, ignored, i
        call MPI_Error_class(ierror, error_class, ignored)
        print '(2a, i0, 3(a, i0, a, i0))', name, ': class ', error_class, (', ', handled(i), ' calls with ', &
            classes(i), i=1, 3)
        handled = 0
        classes = 0
    end subroutine

    subroutine make_refused_calls()
        REFUSED(MPI_Send rank, call MPI_Send(values, 1, MPI_INTEGER, 99, 1, MPI_COMM_WORLD, ierror))
        REFUSED(MPI_Send datatype, call MPI_Send(values, 1, MPI_DATATYPE_NULL, 1, 1, MPI_COMM_WORLD, ierror))
        REFUSED(MPI_Recv count, call MPI_Recv(values, -1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, status, ierror))
        REFUSED(MPI_Recv tag, call MPI_Recv(values, 1, MPI_INTEGER, 1, -7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror))
        REFUSED(MPI_Recv communicator, call MPI_Recv(values, 1, MPI_INTEGER, 1, 1, MPI_COMM_NULL, status, ierror))
        REFUSED(MPI_Isend count, call MPI_Isend(values, -1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, request, ierror))
        REFUSED(MPI_Irecv datatype, call MPI_Irecv(values, 1, MPI_DATATYPE_NULL, 1, 1, MPI_COMM_WORLD, request, ierror))
        REFUSED(MPI_Send_init rank, call MPI_Send_init(values, 1, MPI_INTEGER, 99, 1, MPI_COMM_WORLD, request, ierror))
        REFUSED(MPI_Sendrecv rank, call MPI_Sendrecv(values, 1, MPI_INTEGER, 99, 1, others, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, status, ierror))
        REFUSED(MPI_Probe rank, call MPI_Probe(99, 1, MPI_COMM_WORLD, status, ierror))
        REFUSED(MPI_Iprobe rank, call MPI_Iprobe(99, 1, MPI_COMM_WORLD, flag, status, ierror))
        requests = MPI_REQUEST_NULL
        REFUSED(MPI_Waitall count, call MPI_Waitall(-1, requests, statuses, ierror))
        request = MPI_REQUEST_NULL
        REFUSED(MPI_Start request, call MPI_Start(request, ierror))
        REFUSED(MPI_Bcast root, call MPI_Bcast(values, 1, MPI_INTEGER, 99, MPI_COMM_WORLD, ierror))
        REFUSED(MPI_Allreduce operation, call MPI_Allreduce(values, others, 1, MPI_INTEGER, MPI_OP_NULL, MPI_COMM_WORLD, ierror))
        REFUSED(MPI_Ibcast datatype, call MPI_Ibcast(values, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, request, ierror))
        REFUSED(MPI_Gatherv root, call MPI_Gatherv(values, 1, MPI_INTEGER, others, counts, places, MPI_INTEGER, 99, MPI_COMM_WORLD, ierror))
        REFUSED(MPI_Comm_dup communicator, call MPI_Comm_dup(MPI_COMM_NULL, made, ierror))
        REFUSED(MPI_Comm_split communicator, call MPI_Comm_split(MPI_COMM_NULL, 0, 0, made, ierror))
        REFUSED(MPI_Type_contiguous count, call MPI_Type_contiguous(-1, MPI_INTEGER, made, ierror))
        REFUSED(MPI_Put rank, call MPI_Put(values, 1, MPI_INTEGER, 99, place, 1, MPI_INTEGER, window, ierror))
        REFUSED(MPI_Win_lock rank, call MPI_Win_lock(MPI_LOCK_SHARED, 99, 0, window, ierror))
        REFUSED(MPI_File_delete name, call MPI_File_delete('/nowhere/at/all', MPI_INFO_NULL, ierror))
        REFUSED(MPI_Get_count datatype, call MPI_Get_count(status, MPI_DATATYPE_NULL, flag_count, ierror))
    end subroutine
end program
