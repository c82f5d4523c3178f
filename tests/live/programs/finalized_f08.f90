! SPDX-License-Identifier: BSD-3-Clause
!
! Objects and requests made in Fortran, array sections sent, all freed, then MPI_Finalize, then a pause: nothing is left.
!
! RANKS 2
! CHECK mpich openmpi
program finalized
    use, intrinsic :: iso_c_binding
    use mpi_f08
    implicit none
    integer, asynchronous :: table(4, 4), column(4)
    integer :: rank, other, keyval
    integer(kind=MPI_ADDRESS_KIND) :: attribute = 1, extra_state = 0
    type(MPI_Comm) :: comm
    type(MPI_Datatype) :: vector
    type(MPI_Group) :: group
    type(MPI_Info) :: info
    type(MPI_Request) :: requests(2)
    type(c_ptr) :: world
    interface
        integer(c_int) function expect_begin() bind(c)
            import
        end function
        type(c_ptr) function expect_world() bind(c)
            import
        end function
        subroutine expect_finalized() bind(c)
        end subroutine
        subroutine expect_ready() bind(c)
        end subroutine
        subroutine expect_pause() bind(c)
        end subroutine
    end interface

    call MPI_Init()
    rank = expect_begin()
    world = expect_world()
    other = 1 - rank
    table = rank
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, vector)
    call MPI_Type_commit(vector)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra_state)
    call MPI_Comm_set_attr(comm, keyval, attribute)
    call MPI_Comm_free_keyval(keyval)
    call MPI_Comm_group(comm, group)
    call MPI_Info_create(info)
    call MPI_Irecv(column, 4, MPI_INTEGER, other, 1, comm, requests(1))
    call MPI_Isend(table(2, :), 4, MPI_INTEGER, other, 1, comm, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Info_free(info)
    call MPI_Group_free(group)
    call MPI_Type_free(vector)
    call MPI_Comm_free(comm)
    call expect_finalized()
    call MPI_Finalize()
    call expect_ready()
    call expect_pause()
end program
