/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects with the handles that a test wants.
 */
#ifndef TESTS_RUNTIME_CONSTRUCTORS_H
#define TESTS_RUNTIME_CONSTRUCTORS_H

#include <mpi.h>

/* Fail the test where the call fails. Records have their sites in these functions. */
MPI_Comm duplicate_as(MPI_Comm parent, int handle);
MPI_Comm split_as(MPI_Comm parent, int handle);

/* Over window_memory, with a displacement unit of 8. */
MPI_Win create_window_as(MPI_Comm communicator, int handle);

extern char window_memory[256];

#endif
