! SPDX-License-Identifier: BSD-3-Clause
!
! What Fortran has under way, for `mpilens handle`: windows, files, requests, a message, a status; who handles whose errors.
!
! RANKS 2
! CHECK mpich openmpi
#include "language.inc"

module operation_callbacks
    use handle_questions
    use MPI_MODULE
    implicit none

contains
    subroutine handle_comm_error(comm, code)
        HANDLE(MPI_Comm) :: comm
        integer :: code
        code = code + 0*VALUE_OF(comm)
    end subroutine

    subroutine handle_win_error(win, code)
        HANDLE(MPI_Win) :: win
        integer :: code
        code = code + 0*VALUE_OF(win)
    end subroutine

    subroutine handle_file_error(file, code)
        HANDLE(MPI_File) :: file
        integer :: code
        code = code + 0*VALUE_OF(file)
    end subroutine

    ! `attached`: the kind of what it is attached to.
    subroutine ask_errhandler(value, variable, function, attached)
        integer, intent(in) :: value
        character(*), intent(in) :: variable, function, attached
        call ask('errhandler', value, variable, '"kind": "errhandler", "predefined": false, "language": "fortran", '// &
                 '"created": {"function": "'//function//'"}, "detail": {"object": "'//attached//'", "language": '// &
                 '"fortran", "attached_to": [{"kind": "'//attached//'"}]}')
    end subroutine

    subroutine ask_window(value, variable, access, exposure, last, more)
        integer, intent(in) :: value
        character(*), intent(in) :: variable, access, exposure, last, more
        call ask('win', value, variable, '"kind": "window", "predefined": false, "null": false, "freed_by_application": '// &
                 'false, "created": {"function": "MPI_Win_create"}, "detail": {"flavor": "create", "bytes": 16, '// &
                 '"displacement_unit": 4, "base": "*", "communicator": "*", "access_epoch": '//access// &
                 ', "exposure_epoch": '//exposure//', "last_synchronization": {"function": "'//last//'"}'//more//'}')
    end subroutine

    subroutine ask_request(value, variable, function, class, more)
        integer, intent(in) :: value
        character(*), intent(in) :: variable, function, class, more
        call ask('request', value, variable, '"kind": "request", "predefined": false, "null": false, '// &
                 '"freed_by_application": false, "freed_by_mpi": false, "created": {"function": "'//function// &
                 '"}, "detail": {"class": "'//class//'", "function": "'//function//'"'//more//'}')
    end subroutine
end module

program handle_operations
    use operation_callbacks
    implicit none
    integer :: rank, other, error, value = 7, received
    integer, target :: memory(4) = 0, numbers(4) = 0
    integer(kind=MPI_ADDRESS_KIND) :: bytes = 16
    integer(kind=MPI_OFFSET_KIND) :: offset = 64, origin = 8
    character(:), allocatable :: path
    HANDLE(MPI_Comm) :: guarded
    HANDLE(MPI_Errhandler) :: comm_errhandler, win_errhandler, file_errhandler
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Group) :: all, peer
    HANDLE(MPI_Info) :: hints
    HANDLE(MPI_Message) :: message
    HANDLE(MPI_Request) :: isend, writing, persistent, reading, probed
    HANDLE(MPI_Win) :: fenced, grouped, locked
#ifdef HANDLES_MPI_4
    HANDLE(MPI_Request) :: parts
    HANDLE(MPI_Session) :: session
    integer(kind=MPI_COUNT_KIND) :: part = 2
#endif
    STATUS_OF(status)

    call MPI_Init(error)
    rank = ask_begin()
    other = 1 - rank
    call MPI_Comm_group(MPI_COMM_WORLD, all, error)
    call MPI_Group_incl(all, 1, [other], peer, error)

    call MPI_Comm_dup(MPI_COMM_WORLD, guarded, error)
    call MPI_Comm_create_errhandler(handle_comm_error, comm_errhandler, error)
    call MPI_Comm_set_errhandler(guarded, comm_errhandler, error)
    call ask_errhandler(VALUE_OF(comm_errhandler), KIND_AND('errhandler', 'comm_errhandler'), 'MPI_Comm_create_errhandler', &
                        'communicator')

    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, fenced, error)
    call MPI_Win_set_name(fenced, 'halo', error)
    call MPI_Win_create_errhandler(handle_win_error, win_errhandler, error)
    call MPI_Win_set_errhandler(fenced, win_errhandler, error)
    call MPI_Win_fence(0, fenced, error)
    call ask_window(VALUE_OF(fenced), KIND_AND('win', 'fenced'), '"fence"', '"fence"', 'MPI_Win_fence', &
                    ', "locks": [], "info": {}, "group": null')
    call ask('win', VALUE_OF(fenced), '', '"name": "halo"')
    call ask_errhandler(VALUE_OF(win_errhandler), KIND_AND('errhandler', 'win_errhandler'), 'MPI_Win_create_errhandler', 'window')
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, grouped, error)
    if (rank == 0) then
        call MPI_Win_post(peer, 0, grouped, error)
        call ask_window(VALUE_OF(grouped), KIND_AND('win', 'grouped'), 'null', '"post"', 'MPI_Win_post', &
                        ', "group": [{"first": 1, "stride": 1, "count": 1}]')
    else
        call MPI_Win_start(peer, 0, grouped, error)
        call ask_window(VALUE_OF(grouped), KIND_AND('win', 'grouped'), '"start"', 'null', 'MPI_Win_start', &
                        ', "group": [{"first": 0, "stride": 1, "count": 1}]')
    end if
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, locked, error)
    call MPI_Win_lock(MPI_LOCK_SHARED, other, 0, locked, error)
    call ask_window(VALUE_OF(locked), KIND_AND('win', 'locked'), '"lock"', 'null', 'MPI_Win_lock', &
                    ', "locks": [{"target": {"local": '//number(other)//'}, "type": "shared"}]')

    path = path_of('out')
    call MPI_Info_create(hints, error)
    call MPI_Info_set(hints, 'access_style', 'write_once', error)
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR, hints, file, error) ! LINE(file)
    call MPI_File_set_view(file, origin, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, error)
    call MPI_File_create_errhandler(handle_file_error, file_errhandler, error)
    call MPI_File_set_errhandler(file, file_errhandler, error)
    call MPI_File_iwrite_at(file, offset, numbers, 4, MPI_INTEGER, writing, error)
    call MPI_File_iread(file, numbers, 1, MPI_INTEGER, reading, error)
    call ask('file', VALUE_OF(file), KIND_AND('file', 'file'), '"kind": "file", "created": '//call_at('MPI_File_open', 'file')// &
             ', "detail": {"filename": "'//path//'", "amode": ["create", "rdwr"], "communicator": "*", "atomicity": false, '// &
             '"info": {"access_style": "write_once"}, "operations": 2, "requests": ["*", "*"], "view": {"displacement": 8, '// &
             '"etype": "MPI_INTEGER", "filetype": "MPI_INTEGER", "datarep": "native"}, "split_collective": null}')
    call ask('info', VALUE_OF(hints), KIND_AND('info', 'hints'), '"detail": {"used_by": [{"kind": "file"}]}')
    call ask_errhandler(VALUE_OF(file_errhandler), KIND_AND('errhandler', 'file_errhandler'), 'MPI_File_create_errhandler', 'file')
    call ask_request(VALUE_OF(writing), KIND_AND('request', 'writing'), 'MPI_File_iwrite_at', 'file', &
                     ', "offset": 64, "count": 4, "bytes": 16, "object": {"kind": "file"}')
    call ask_request(VALUE_OF(reading), KIND_AND('request', 'reading'), 'MPI_File_iread', 'file', ', "bytes": 4')

    call MPI_Issend(value, 1, MPI_INTEGER, other, 21, MPI_COMM_WORLD, isend, error)
    call ask_request(VALUE_OF(isend), KIND_AND('request', 'isend'), 'MPI_Issend', 'send', ', "active": true, "complete": '// &
                     'false, "operation": {"mode": "synchronous", "tag": 21, "bytes": 4}')
    call MPI_Send_init(value, 1, MPI_INTEGER, other, 22, MPI_COMM_WORLD, persistent, error)
    call ask_request(VALUE_OF(persistent), KIND_AND('request', 'persistent'), 'MPI_Send_init', 'send', &
                     ', "persistent": true, "active": false, "tag": 22')
#ifdef HANDLES_MPI_4
    if (rank == 0) then
        call MPI_Psend_init(numbers, 2, part, MPI_INTEGER, other, 31, MPI_COMM_WORLD, MPI_INFO_NULL, parts, error)
        call MPI_Start(parts, error)
        call MPI_Pready(1, parts, error)
        call ask_request(VALUE_OF(parts), KIND_AND('request', 'parts'), 'MPI_Psend_init', 'send', ', "partitions": '// &
                         '[{"first": 0, "count": 1, "marked": false}, {"first": 1, "count": 1, "marked": true}]')
    end if
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, error) ! LINE(session)
    call ask('session', VALUE_OF(session), KIND_AND('session', 'session'), '"kind": "session", "created": '// &
             call_at('MPI_Session_init', 'session')//', "detail": {"thread_level": "*"}')
#endif
    call MPI_Isend(value, 1, MPI_INTEGER, 0, 8, MPI_COMM_SELF, probed, error)
    call MPI_Mprobe(0, 8, MPI_COMM_SELF, message, MPI_STATUS_IGNORE, error) ! LINE(message)
    ! Of messages the runtime keeps no integer of Fortran: they are found where that is the C handle (as no MPI_COMM_WORLD of 0 is).
    if (VALUE_OF(MPI_COMM_WORLD) /= 0) call ask_name(KIND_AND('message', 'message'), '"kind": "message", "created": '//call_at('MPI_Mprobe', 'message')// &
                  ', "detail": {"communicator": "*", "source": 0, "tag": 8, "bytes": 4}')
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 4, received, 1, MPI_INTEGER, 0, MPI_ANY_TAG, MPI_COMM_SELF, status, error)
    call ask_name(KIND_AND('status', 'status'), '"kind": "status", "detail": {"source": 0, "tag": 4, "bytes": 4, '// &
                  '"cancelled": false}')
    call ask('comm', VALUE_OF(MPI_COMM_WORLD), '', '"name": "MPI_COMM_WORLD", "detail": {"rank": '//number(rank)// &
             ', "windows": ["*", "*", "*"], "files": ["*"]}')
    call ask_end()
    call MPI_Recv(received, 1, MPI_INTEGER, other, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Finalize(error)
end program
