/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Questions to the MPI library that may be errors: its error handlers must not hear of them. Only while no other thread
 * can be in MPI, that is at the end of MPI_Init.
 */
#ifndef MPILENS_RUNTIME_MPI_QUIET_ERRORS_H
#define MPILENS_RUNTIME_MPI_QUIET_ERRORS_H

#include "mpi/mpi_traits.h"

/* The error handlers that are put aside. MPI raises errors that belong to no object on MPI_COMM_SELF (since MPI-4.0,
 * section 9.3) or on MPI_COMM_WORLD (before). */
struct quiet_errors {
    MPI_Errhandler of_self;
    MPI_Errhandler of_world;
};

/* From here errors are only returned. Only where MPI_Init has been called. */
struct quiet_errors quiet_errors_begin(void);

/* To here. */
void quiet_errors_end(struct quiet_errors *saved);

#endif
