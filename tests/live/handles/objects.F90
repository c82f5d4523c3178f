! SPDX-License-Identifier: BSD-3-Clause
!
! Objects made in Fortran, for `mpilens handle`: by the module mpi, or by mpi_f08 (HANDLES_F08). Local, module and common variables.
!
! RANKS 2
! CHECK mpich openmpi
#include "language.inc"

module objects
    use handle_questions
    use MPI_MODULE
    implicit none
    HANDLE(MPI_Comm), save :: row
    type grid_type
        integer :: rank
        HANDLE(MPI_Datatype) :: column
    end type
    type(grid_type), save, target :: grid

contains
    subroutine add(in, inout, length, type)
        use, intrinsic :: iso_c_binding
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
end module

program handle_objects
    use objects
    implicit none
    integer :: rank, other, error, buffer, value, keyval
    integer(kind=MPI_ADDRESS_KIND) :: extra_state = 0
    HANDLE(MPI_Request) :: requests(3)
    HANDLE(MPI_Request), allocatable :: more(:)
    HANDLE(MPI_Op) :: op
    HANDLE(MPI_Info) :: info
    HANDLE(MPI_Group) :: group
    HANDLE(MPI_Comm) :: shared, copy
    STATUS_OF(status)
    common /handles/ shared

    call MPI_Init(error)
    rank = ask_begin()
    other = 1 - rank
    call MPI_Comm_split(MPI_COMM_WORLD, 0, rank, row, error) ! LINE(row)
    call MPI_Comm_set_name(row, 'row', error)
    call ask('comm', VALUE_OF(row), KIND_AND('comm', 'row'), '"kind": "communicator", "name": "row", "created": '// &
             '{"function": "MPI_Comm_split", "site": {"mark": "row"}}, "detail": {"size": 2, "requests": "*"}')
    call ask('comm', VALUE_OF(row), KIND_AND('comm', 'objects::ROW'), '"name": "row"')
    shared = row
    call ask('comm', VALUE_OF(shared), KIND_AND('comm', 'shared'), '"name": "row"')
    call MPI_Type_vector(3, 1, 4, MPI_DOUBLE_PRECISION, grid%column, error) ! LINE(column)
    call MPI_Type_commit(grid%column, error)
    call ask('datatype', VALUE_OF(grid%column), KIND_AND('datatype', 'grid%column'), '"created": {"function": '// &
             '"MPI_Type_vector", "site": {"mark": "column"}}, "detail": {"combiner": "vector", "integers": [3, 1, 4], '// &
             '"committed": true, "size": 24, "extent": 72}')
    call MPI_Irecv(buffer, 1, MPI_INTEGER, other, 5, row, requests(2), error) ! LINE(irecv)
    call ask_name(KIND_AND('request', 'requests(2)'), '"kind": "request", "created": {"function": "MPI_Irecv", "site": '// &
                  '{"mark": "irecv"}}, "detail": {"class": "receive", "operation": {"tag": 5, "count": 1, "bytes": 4}}')
    allocate (more(0:1))
    more(1) = requests(2)
    call ask_name(KIND_AND('request', 'more(1)'), '"kind": "request", "detail": {"operation": {"tag": 5}}')
    call MPI_Op_create(add, .true., op, error) ! LINE(op)
    call ask('op', VALUE_OF(op), KIND_AND('op', 'op'), '"kind": "op", "language": "fortran", "created": {"function": '// &
             '"MPI_Op_create", "site": {"mark": "op"}}, "detail": {"commutative": true, "language": "fortran"}')
    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'key', 'value', error)
    call ask('info', VALUE_OF(info), KIND_AND('info', 'info'), '"kind": "info", "detail": {"entries": {"key": "value"}}')
    call MPI_Comm_group(row, group, error)
    call ask('group', VALUE_OF(group), KIND_AND('group', 'group'), '"kind": "group", "detail": {"size": 2, "ranks": '// &
             '[{"first": 0, "stride": 1, "count": 2}]}')
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra_state, error)
    call ask('keyval', keyval, 'keyval keyval', '"kind": "keyval", "detail": {"object": "communicator"}')
    copy = MPI_COMM_NULL
    call ask_name(KIND_AND('comm', 'copy'), '"name": "MPI_COMM_NULL", "null": true')
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 4, value, 1, MPI_INTEGER, 0, 4, MPI_COMM_SELF, status, error)
    call ask_name(KIND_AND('status', 'status'), '"kind": "status", "detail": {"source": 0, "tag": 4, "bytes": 4}')
    call ask_end()
    call MPI_Recv(value, 1, MPI_INTEGER, other, 99, row, status, error)
    call MPI_Finalize(error)
end program
