! SPDX-License-Identifier: BSD-3-Clause
!
! Handles of every kind made in Fortran, for `mpilens handle`: used again, freed, null, predefined; and integers that are none.
!
! RANKS 2
! CHECK mpich openmpi
#include "language.inc"

module freed_handles
    use handle_questions
    use MPI_MODULE
    implicit none

contains
    subroutine handle_error(comm, code)
        HANDLE(MPI_Comm) :: comm
        integer :: code
        code = code + 0*VALUE_OF(comm)
    end subroutine

    subroutine add(in, inout, length, type)
#ifdef HANDLES_F08
        type(c_ptr), value :: in, inout
        integer :: length
        type(MPI_Datatype) :: type
#else
        integer :: length, type
        integer :: in(length), inout(length)
        inout = in + inout
#endif
    end subroutine

    subroutine reused(other, comm, datatype, errhandler, group, info, op, win, keyval)
        integer, intent(in) :: other
        HANDLE(MPI_Comm), intent(out) :: comm
        HANDLE(MPI_Datatype), intent(out) :: datatype
        HANDLE(MPI_Errhandler), intent(out) :: errhandler
        HANDLE(MPI_Group), intent(out) :: group
        HANDLE(MPI_Info), intent(out) :: info
        HANDLE(MPI_Op), intent(out) :: op
        HANDLE(MPI_Win), intent(out) :: win
        integer, intent(out) :: keyval
        integer, save, target :: memory(4)
        HANDLE(MPI_Group) :: all
        integer :: error
        integer(kind=MPI_ADDRESS_KIND) :: extra_state = 0, bytes = 16
        call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
        call MPI_Comm_free(comm, error)
        call MPI_Comm_dup(MPI_COMM_SELF, comm, error) ! LINE(comm_again)
        call MPI_Type_contiguous(4, MPI_REAL, datatype, error)
        call MPI_Type_free(datatype, error)
        call MPI_Type_contiguous(5, MPI_REAL, datatype, error) ! LINE(datatype_again)
        call MPI_Comm_create_errhandler(handle_error, errhandler, error)
        call MPI_Errhandler_free(errhandler, error)
        call MPI_Comm_create_errhandler(handle_error, errhandler, error) ! LINE(errhandler_again)
        call MPI_Comm_group(MPI_COMM_WORLD, all, error)
        call MPI_Group_incl(all, 1, [other], group, error)
        call MPI_Group_free(group, error)
        call MPI_Group_excl(all, 1, [other], group, error) ! LINE(group_again)
        call MPI_Info_create(info, error)
        call MPI_Info_set(info, 'key', 'value', error)
        call MPI_Info_free(info, error)
        call MPI_Info_create(info, error) ! LINE(info_again)
        call MPI_Op_create(add, .true., op, error)
        call MPI_Op_free(op, error)
        call MPI_Op_create(add, .false., op, error) ! LINE(op_again)
        call MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
        call MPI_Win_free(win, error)
        call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, error) ! LINE(win_again)
        call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra_state, error)
        call MPI_Comm_free_keyval(keyval, error)
        call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra_state, error) ! LINE(keyval_again)
    end subroutine

    ! Each with nothing that refers to it.
    subroutine freed(other)
        integer, intent(in) :: other
        integer, save, target :: memory(4)
        HANDLE(MPI_Comm) :: comm
        HANDLE(MPI_Datatype) :: datatype
        HANDLE(MPI_Errhandler) :: errhandler
        HANDLE(MPI_Group) :: all, group
        HANDLE(MPI_Info) :: info
        HANDLE(MPI_Op) :: op
        HANDLE(MPI_Win) :: win
        HANDLE(MPI_File) :: file
        HANDLE(MPI_Request) :: request
        integer :: error, keyval, old
        integer(kind=MPI_ADDRESS_KIND) :: extra_state = 0, bytes = 16
        call MPI_Comm_dup(MPI_COMM_WORLD, comm, error) ! LINE(comm_made)
        old = VALUE_OF(comm)
        call MPI_Comm_free(comm, error) ! LINE(comm_freed)
        call ask_freed('comm', old, 'MPI_Comm_dup', 'MPI_Comm_free')
        call MPI_Type_contiguous(4, MPI_REAL, datatype, error) ! LINE(datatype_made)
        old = VALUE_OF(datatype)
        call MPI_Type_free(datatype, error) ! LINE(datatype_freed)
        call ask_freed('datatype', old, 'MPI_Type_contiguous', 'MPI_Type_free')
        call MPI_Comm_create_errhandler(handle_error, errhandler, error) ! LINE(errhandler_made)
        old = VALUE_OF(errhandler)
        call MPI_Errhandler_free(errhandler, error) ! LINE(errhandler_freed)
        call ask_freed('errhandler', old, 'MPI_Comm_create_errhandler', 'MPI_Errhandler_free')
        call MPI_Comm_group(MPI_COMM_WORLD, all, error)
        call MPI_Group_incl(all, 1, [other], group, error) ! LINE(group_made)
        old = VALUE_OF(group)
        call MPI_Group_free(group, error) ! LINE(group_freed)
        call ask_freed('group', old, 'MPI_Group_incl', 'MPI_Group_free')
        call MPI_Info_create(info, error) ! LINE(info_made)
        old = VALUE_OF(info)
        call MPI_Info_free(info, error) ! LINE(info_freed)
        call ask_freed('info', old, 'MPI_Info_create', 'MPI_Info_free')
        call MPI_Op_create(add, .true., op, error) ! LINE(op_made)
        old = VALUE_OF(op)
        call MPI_Op_free(op, error) ! LINE(op_freed)
        call ask_freed('op', old, 'MPI_Op_create', 'MPI_Op_free')
        call MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win, error) ! LINE(win_made)
        old = VALUE_OF(win)
        call MPI_Win_free(win, error) ! LINE(win_freed)
        call ask_freed('win', old, 'MPI_Win_create', 'MPI_Win_free')
        call MPI_File_open(MPI_COMM_WORLD, path_of('closed'), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, error) ! LINE(file_made)
        old = VALUE_OF(file)
        call MPI_File_close(file, error) ! LINE(file_freed)
        call ask_freed('file', old, 'MPI_File_open', 'MPI_File_close')
        call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra_state, error) ! LINE(keyval_made)
        old = keyval
        call MPI_Comm_free_keyval(keyval, error) ! LINE(keyval_freed)
        call ask_freed('keyval', old, 'MPI_Comm_create_keyval', 'MPI_Comm_free_keyval')
        call MPI_Irecv(memory, 1, MPI_INTEGER, other, 42, MPI_COMM_WORLD, request, error)
        old = VALUE_OF(request)
        call MPI_Cancel(request, error)
        call MPI_Wait(request, MPI_STATUS_IGNORE, error)
        call ask_in_vain('request', old)
    end subroutine

#ifdef HANDLES_MPI_4
    subroutine freed_session()
        HANDLE(MPI_Session) :: session
        integer :: error, old
        call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, error) ! LINE(session_made)
        old = VALUE_OF(session)
        call MPI_Session_finalize(session, error) ! LINE(session_freed)
        call ask_freed('session', old, 'MPI_Session_init', 'MPI_Session_finalize')
        call ask_in_vain('session', 123456789)
    end subroutine
#endif

    subroutine constants()
        call ask_null('datatype', VALUE_OF(MPI_DATATYPE_NULL), '', 'MPI_DATATYPE_NULL')
        call ask_null('errhandler', VALUE_OF(MPI_ERRHANDLER_NULL), '', 'MPI_ERRHANDLER_NULL')
        call ask_null('group', VALUE_OF(MPI_GROUP_NULL), '', 'MPI_GROUP_NULL')
        call ask_null('info', VALUE_OF(MPI_INFO_NULL), '', 'MPI_INFO_NULL')
        call ask_null('op', VALUE_OF(MPI_OP_NULL), '', 'MPI_OP_NULL')
        call ask_null('message', VALUE_OF(MPI_MESSAGE_NULL), '', 'MPI_MESSAGE_NULL')
        call ask_null('keyval', MPI_KEYVAL_INVALID, '', 'MPI_KEYVAL_INVALID')
        call ask_predefined('comm', VALUE_OF(MPI_COMM_WORLD), '', 'MPI_COMM_WORLD')
        call ask_predefined('comm', VALUE_OF(MPI_COMM_SELF), '', 'MPI_COMM_SELF')
        call ask_predefined('datatype', VALUE_OF(MPI_INTEGER), '', 'MPI_INTEGER')
        call ask_predefined('datatype', VALUE_OF(MPI_DOUBLE_PRECISION), '', 'MPI_DOUBLE_PRECISION')
        call ask_predefined('errhandler', VALUE_OF(MPI_ERRORS_RETURN), '', 'MPI_ERRORS_RETURN')
        call ask_predefined('group', VALUE_OF(MPI_GROUP_EMPTY), '', 'MPI_GROUP_EMPTY')
        call ask_predefined('info', VALUE_OF(MPI_INFO_ENV), '', 'MPI_INFO_ENV')
        call ask_predefined('op', VALUE_OF(MPI_SUM), '', 'MPI_SUM')
        call ask_predefined('keyval', MPI_TAG_UB, '', 'MPI_TAG_UB')
    end subroutine

    subroutine integers_that_are_none()
        character(10), parameter :: kinds(11) = [character(10) :: 'comm', 'datatype', 'errhandler', 'group', 'info', 'op', &
                                                 'win', 'file', 'request', 'message', 'keyval']
        integer :: i
        do i = 1, size(kinds)
            call ask_in_vain(trim(kinds(i)), 123456789)
            call ask_in_vain(trim(kinds(i)), -7)
        end do
    end subroutine
end module

program handle_freed
    use freed_handles
    implicit none
    integer :: rank, error, value
    HANDLE(MPI_Comm) :: kept_comm, no_comm
    HANDLE(MPI_Datatype) :: datatype
    HANDLE(MPI_Errhandler) :: errhandler
    HANDLE(MPI_Group) :: group
    HANDLE(MPI_Info) :: info
    HANDLE(MPI_Op) :: op
    HANDLE(MPI_Win) :: win, no_win
    HANDLE(MPI_File) :: no_file
    HANDLE(MPI_Request) :: no_request
    integer :: keyval

    call MPI_Init(error)
    rank = ask_begin()
    call reused(1 - rank, kept_comm, datatype, errhandler, group, info, op, win, keyval)
    call ask_reused('comm', VALUE_OF(kept_comm), KIND_AND('comm', 'kept_comm'))
    call ask_reused('datatype', VALUE_OF(datatype), KIND_AND('datatype', 'datatype'))
    call ask_reused('errhandler', VALUE_OF(errhandler), KIND_AND('errhandler', 'errhandler'))
    call ask_reused('group', VALUE_OF(group), KIND_AND('group', 'group'))
    call ask_reused('info', VALUE_OF(info), KIND_AND('info', 'info'))
    call ask_reused('op', VALUE_OF(op), KIND_AND('op', 'op'))
    call ask_reused('win', VALUE_OF(win), KIND_AND('win', 'win'))
    call ask_reused('keyval', keyval, 'keyval keyval')
    call freed(1 - rank)
#ifdef HANDLES_MPI_4
    call freed_session()
#endif
    no_comm = MPI_COMM_NULL
    no_win = MPI_WIN_NULL
    no_file = MPI_FILE_NULL
    no_request = MPI_REQUEST_NULL
    call ask_null('comm', VALUE_OF(no_comm), KIND_AND('comm', 'no_comm'), 'MPI_COMM_NULL')
    call ask_null('win', VALUE_OF(no_win), KIND_AND('win', 'no_win'), 'MPI_WIN_NULL')
    call ask_null('file', VALUE_OF(no_file), KIND_AND('file', 'no_file'), 'MPI_FILE_NULL')
    call ask_null('request', VALUE_OF(no_request), KIND_AND('request', 'no_request'), 'MPI_REQUEST_NULL')
    call constants()
    call integers_that_are_none()
    call ask_end()
    call MPI_Recv(value, 1, MPI_INTEGER, 1 - rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Finalize(error)
end program
