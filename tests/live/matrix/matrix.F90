! SPDX-License-Identifier: BSD-3-Clause
!
! The program of the language matrix (matrix.c) in Fortran: by mpif.h, the module mpi (MATRIX_MPI) or mpi_f08 (MATRIX_F08).
#ifdef MATRIX_F08
#define HANDLE(kind) type(kind)
#define STATUS_OF(name) type(MPI_Status) :: name
#define STATUSES_OF(name, count) type(MPI_Status) :: name(count)
#else
#define HANDLE(kind) integer
#define STATUS_OF(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES_OF(name, count) integer :: name(MPI_STATUS_SIZE, count)
#endif

program matrix
#ifdef MATRIX_F08
    use, intrinsic :: iso_c_binding
    use mpi_f08
#elif defined(MATRIX_MPI)
    use mpi
#endif
    implicit none
#if !defined(MATRIX_F08) && !defined(MATRIX_MPI)
    include 'mpif.h'
#endif
    integer, parameter :: large = 2**18
    integer, save, asynchronous :: out(large), in(6), memory(4), values(3)
    integer :: rank, half_rank, peer, keyval, error
    integer(kind=MPI_ADDRESS_KIND) :: attribute = 1, bytes = 16, extra_state = 0
    HANDLE(MPI_Comm) :: half
    HANDLE(MPI_Datatype) :: vector, pair
    HANDLE(MPI_Group) :: group, first
    HANDLE(MPI_Op) :: op
    HANDLE(MPI_Info) :: info
    HANDLE(MPI_Errhandler) :: errhandler
    HANDLE(MPI_Win) :: window
    HANDLE(MPI_Request) :: done(2), pending(8)
    STATUS_OF(status)
    STATUSES_OF(statuses, 2)
    interface
        subroutine alarm_c(seconds) bind(c, name='alarm')
            use, intrinsic :: iso_c_binding
            integer(c_int), value :: seconds
        end subroutine
    end interface

    call alarm_c(300)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error) ! LINE(split)
    call MPI_Comm_set_name(half, 'half', error)
    call MPI_Comm_rank(half, half_rank, error)
    peer = 1 - half_rank
    call MPI_Type_vector(3, 1, 2, MPI_INTEGER, vector, error) ! LINE(vector)
    call MPI_Type_commit(vector, error)
    call MPI_Type_contiguous(2, vector, pair, error) ! LINE(contiguous)
    call MPI_Comm_group(half, group, error) ! LINE(group)
    call MPI_Group_incl(group, 1, [0], first, error) ! LINE(incl)
    call MPI_Op_create(add, .true., op, error) ! LINE(op)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra_state, error) ! LINE(keyval)
    call MPI_Comm_set_attr(half, keyval, attribute, error) ! LINE(attribute)
    call MPI_Info_create(info, error) ! LINE(info)
    call MPI_Info_set(info, 'key', 'value', error)
    call MPI_Comm_create_errhandler(handle_error, errhandler, error) ! LINE(errhandler)
    call MPI_Comm_set_errhandler(half, errhandler, error)
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, error) ! LINE(window)

    call MPI_Irecv(in, 1, vector, peer, 1, half, done(1), error)
    call MPI_Isend(out, 3, MPI_INTEGER, peer, 1, half, done(2), error)
    call MPI_Waitall(2, done, statuses, error)
    call MPI_Bcast(values, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error) ! LINE(bcast)

    call MPI_Irecv(in, 1, vector, peer, 2, half, pending(1), error) ! LINE(irecv)
    call MPI_Isend(out, large, MPI_INTEGER, peer, 3, half, pending(2), error) ! LINE(isend)
    call MPI_Ssend_init(out, 2, MPI_INTEGER, peer, 4, half, pending(3), error) ! LINE(ssend_init)
    call MPI_Recv_init(values, 3, MPI_INTEGER, peer, 5, half, pending(4), error) ! LINE(recv_init)
    call MPI_Start(pending(4), error) ! LINE(start)
    call MPI_Irecv(MPI_BOTTOM, 0, MPI_INTEGER, peer, 7, half, pending(8), error) ! LINE(bottom)
    if (rank == 0) then
        call MPI_Recv(values, 3, MPI_INTEGER, 1, 6, MPI_COMM_WORLD, status, error) ! LINE(recv)
    end if
    call MPI_Iallreduce(MPI_IN_PLACE, values, 3, MPI_INTEGER, op, MPI_COMM_WORLD, pending(5), error) ! LINE(iallreduce)
    call MPI_Ibcast(values, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, pending(6), error) ! LINE(ibcast)
    call MPI_Ibarrier(MPI_COMM_WORLD, pending(7), error) ! LINE(ibarrier)
    call MPI_Wait(pending(7), status, error) ! LINE(wait)
    call MPI_Finalize(error)

contains
#ifdef MATRIX_F08
    subroutine add(left, right, count, datatype)
        type(c_ptr), value :: left, right
        integer :: count
        type(MPI_Datatype) :: datatype
        integer, pointer :: a(:), b(:)
        call c_f_pointer(left, a, [count])
        call c_f_pointer(right, b, [count])
        b = a + b
        if (datatype /= MPI_INTEGER) stop 1
    end subroutine
    subroutine handle_error(comm, code)
        type(MPI_Comm) :: comm
        integer :: code
        if (comm /= MPI_COMM_NULL .or. code /= 0) stop 1
    end subroutine
#else
    subroutine add(left, right, count, datatype)
        integer :: count, datatype
        integer :: left(count), right(count)
        right = left + right
        if (datatype == 0) stop 1
    end subroutine
    subroutine handle_error(comm, code)
        integer :: comm, code
        if (comm /= 0 .or. code /= 0) stop 1
    end subroutine
#endif
end program
