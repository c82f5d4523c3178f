/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fake Fortran binding: calls the C functions in the ways that the bindings of MPICH and Open MPI have.
 */
#include "fake_fortran.h"

#include <stddef.h>

typedef MPI_Fint fint;

unsigned fake_fortran_without_c;

void mpi_send_(const void *buffer, const fint *count, const fint *datatype, const fint *peer, const fint *tag,
               const fint *communicator, fint *error)
{
    *error = MPI_Send(buffer, *count, *datatype, *peer, *tag, *communicator);
}

/* Another C function after the first, in the same statement. */
void mpi_ssend_(const void *buffer, const fint *count, const fint *datatype, const fint *peer, const fint *tag,
                const fint *communicator, fint *error)
{
    *error = PMPI_Recv((void *)(uintptr_t)buffer, *count, *datatype, *peer, *tag, *communicator, MPI_STATUS_IGNORE);
    *error = PMPI_Ssend(buffer, *count, *datatype, *peer, *tag, *communicator);
}

/* Goes through another function of the binding that has an entry. */
void pmpi_barrier_(const fint *communicator, fint *error)
{
    *error = PMPI_Barrier(*communicator);
}

void mpi_barrier_f08_(const fint *communicator, fint *error)
{
    void (*volatile inner)(const fint *, fint *) = pmpi_barrier_;
    inner(communicator, error);
}

/* Reaches the library's inside without a C function. */
void mpi_type_get_attr_(const fint *datatype, const fint *keyval, MPI_Aint *value, fint *flag, fint *error)
{
    (void)datatype;
    (void)keyval;
    (void)value;
    *flag = 0;
    fake_fortran_without_c++;
    *error = MPI_SUCCESS;
}

void mpi_allreduce_(const void *send, void *receive, const fint *count, const fint *datatype, const fint *op,
                    const fint *communicator, fint *error)
{
    *error = MPI_Allreduce(send, receive, *count, *datatype, *op, *communicator);
}

/* As a program that was linked with a binding without entries sees it. */
void fake_fortran_without_entry(fint *error)
{
    static char buffer[8];
    *error = MPI_Send(buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

/* Ten arguments: some come on the stack. */
void mpi_sendrecv_(const void *send, const fint *send_count, const fint *send_datatype, const fint *peer,
                   const fint *send_tag, void *receive, const fint *count, const fint *datatype, const fint *source,
                   const fint *tag, const fint *communicator, fint *status, fint *error)
{
    (void)status;
    *error = MPI_Sendrecv(send, *send_count, *send_datatype, *peer, *send_tag, receive, *count, *datatype, *source,
                          *tag, *communicator, MPI_STATUS_IGNORE);
}

void (*fake_fortran_callback)(void);

void mpi_comm_create_keyval_(void *copy_function, void *delete_function, MPI_Fint *keyval, const MPI_Aint *extra_state,
                             MPI_Fint *error)
{
    (void)copy_function;
    (void)delete_function;
    (void)extra_state;
    *error = *keyval < 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
    *keyval = 0x64000001;
}

void mpi_comm_create_errhandler_(void *user_function, MPI_Fint *errhandler, MPI_Fint *error)
{
    (void)user_function;
    *errhandler = (MPI_Fint)0x94000001;
    *error = MPI_SUCCESS;
}

void mpi_comm_set_attr_(const MPI_Fint *communicator, const MPI_Fint *keyval, const MPI_Aint *value, MPI_Fint *error)
{
    (void)communicator;
    (void)keyval;
    (void)value;
    if (fake_fortran_callback != NULL)
        fake_fortran_callback();
    *error = MPI_SUCCESS;
}

void mpi_type_create_keyval_(void *copy_function, void *delete_function, MPI_Fint *keyval, const MPI_Aint *extra_state,
                             MPI_Fint *error)
{
    (void)copy_function;
    (void)delete_function;
    *error =
        PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, keyval, (void *)(uintptr_t)extra_state);
}

void mpi_comm_create_keyval_f08_(void *copy_function, void *delete_function, MPI_Fint *keyval,
                                 const MPI_Aint *extra_state, MPI_Fint *error)
{
    void (*volatile inner)(void *, void *, MPI_Fint *, const MPI_Aint *, MPI_Fint *) = mpi_comm_create_keyval_;
    MPI_Fint inner_error;
    inner(copy_function, delete_function, keyval, extra_state, error != NULL ? error : &inner_error);
}
