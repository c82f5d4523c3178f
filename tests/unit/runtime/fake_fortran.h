/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions as Fortran programs call them.
 */
#ifndef TESTS_RUNTIME_FAKE_FORTRAN_H
#define TESTS_RUNTIME_FAKE_FORTRAN_H

#include <mpi.h>

#include <stdint.h>

void mpi_send_(const void *buffer, const MPI_Fint *count, const MPI_Fint *datatype, const MPI_Fint *peer,
               const MPI_Fint *tag, const MPI_Fint *communicator, MPI_Fint *error);

void mpi_ssend_(const void *buffer, const MPI_Fint *count, const MPI_Fint *datatype, const MPI_Fint *peer,
                const MPI_Fint *tag, const MPI_Fint *communicator, MPI_Fint *error);

void pmpi_barrier_(const MPI_Fint *communicator, MPI_Fint *error);
void mpi_barrier_f08_(const MPI_Fint *communicator, MPI_Fint *error);

void mpi_type_get_attr_(const MPI_Fint *datatype, const MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag,
                        MPI_Fint *error);

void mpi_allreduce_(const void *send, void *receive, const MPI_Fint *count, const MPI_Fint *datatype,
                    const MPI_Fint *op, const MPI_Fint *communicator, MPI_Fint *error);

void mpi_sendrecv_(const void *send, const MPI_Fint *send_count, const MPI_Fint *send_datatype, const MPI_Fint *peer,
                   const MPI_Fint *send_tag, void *receive, const MPI_Fint *count, const MPI_Fint *datatype,
                   const MPI_Fint *source, const MPI_Fint *tag, const MPI_Fint *communicator, MPI_Fint *status,
                   MPI_Fint *error);

/* Without a C function. */
void mpi_comm_create_keyval_(void *copy_function, void *delete_function, MPI_Fint *keyval, const MPI_Aint *extra_state,
                             MPI_Fint *error);
void mpi_comm_create_errhandler_(void *user_function, MPI_Fint *errhandler, MPI_Fint *error);

/* Calls the user's function `fake_fortran_callback`, if it is not NULL. */
void mpi_comm_set_attr_(const MPI_Fint *communicator, const MPI_Fint *keyval, const MPI_Aint *value, MPI_Fint *error);
extern void (*fake_fortran_callback)(void);

/* By a C function, and the one that goes through another function of the binding. */
void mpi_type_create_keyval_(void *copy_function, void *delete_function, MPI_Fint *keyval, const MPI_Aint *extra_state,
                             MPI_Fint *error);
void mpi_comm_create_keyval_f08_(void *copy_function, void *delete_function, MPI_Fint *keyval,
                                 const MPI_Aint *extra_state, MPI_Fint *error);

/* A send from the binding that no entry has come before. */
void fake_fortran_without_entry(MPI_Fint *error);

/* Calls that have reached the library without a C function. */
extern unsigned fake_fortran_without_c;

#endif
