/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many threads in MPI at the same time, for programs under ThreadSanitizer. A program ends with the exit status 77
 * where that cannot run (run_stress.sh).
 */
#ifndef TESTS_RUNTIME_STRESS_H
#define TESTS_RUNTIME_STRESS_H

#include "fake_mpi.h"
#include "shadow.h"

enum { THREADS = 4 };

/* One of each thread's own: collective calls of different threads on one communicator would be an error. */
extern MPI_Comm communicators[THREADS];

/* Initializes MPI for `level`, over a library that does `perform`, and makes the communicators. */
void stress_begin(int level, int (*perform)(const struct fake_call *));

/* Runs `work` in all threads, each with its number, until all have returned. Ends the program where threads cannot be
 * had. */
void stress_run(void (*work)(unsigned number));

/* Notes a failure, and says which. */
void stress_check(bool good, const char *what);

/* Frees the communicators, checks that nothing is left but `lost` operations, finalizes MPI. Returns the exit status of
 * the program. */
int stress_end(size_t lost);

#endif
