/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the programs of this directory. None of them lives longer than five minutes.
 */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include <mpi.h>

/* Whether the driver lets the program end. Always true where there is no driver. */
int told_to_end(void);

/* From one rank to another, outside MPI. Always told where there is no driver. */
void tell(const char *word);
int was_told(const char *word);

/* Computes that long, outside MPI. */
void compute(int milliseconds);

/* An error handler that does not return, as one that waits for a debugger. */
void never_return(MPI_Comm *communicator, int *error, ...);

/* For Fortran: integer, external :: told_to_end. */
int told_to_end_(void);
void compute_(const int *milliseconds);

#endif
