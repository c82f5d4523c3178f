/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers that launchers give to ranks, in their environment.
 */
#ifndef MPILENS_INSPECT_DISCOVER_LAUNCHER_NUMBERS_H
#define MPILENS_INSPECT_DISCOVER_LAUNCHER_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

struct launcher_numbers {
    int rank; /* in MPI_COMM_WORLD; -1: not known */
    int size; /* -1: not known */
};

/* Out of an environment as /proc has it. `has_mpi`: the process is known to have MPI; Slurm numbers all that it starts.
 */
struct launcher_numbers launcher_numbers_of(const char *environment, size_t bytes, bool has_mpi);

#endif
