/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The runtime that a program is started with: which one, and LD_PRELOAD.
 */
#ifndef MPILENS_INSPECT_LAUNCH_PRELOAD_H
#define MPILENS_INSPECT_LAUNCH_PRELOAD_H

#include "base/reason.h"
#include "launch/mpi_family.h"
#include "launch/program.h"

/* Path of the runtime for `family`; NULL: for the MPI that the program probably comes to use, see find_likely_mpi() for
 * `arguments`. The caller frees it; NULL and a reason: not known, or not installed. */
char *preload_choose(const struct mpi_family *family, const struct program *program, char *const *arguments,
                     struct reason *ret_reason);

/* Whether the runtime can be loaded into the program. 0, or -1 and a reason. */
int preload_check(const struct program *program, const char *runtime, struct reason *ret_reason);

/* Puts the runtime in front of LD_PRELOAD of what is started from now on. */
void preload_set(const char *runtime);

#endif
