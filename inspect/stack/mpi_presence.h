/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a process has MPI in it.
 */
#ifndef MPILENS_INSPECT_STACK_MPI_PRESENCE_H
#define MPILENS_INSPECT_STACK_MPI_PRESENCE_H

#include "target/target.h"

#include <stdbool.h>

/* Whether a library or the program itself has the functions that initialize MPI. */
bool target_has_mpi(struct target *target);

#endif
