/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which MPI a program will probably load.
 */
#ifndef MPILENS_INSPECT_LAUNCH_LIKELY_MPI_H
#define MPILENS_INSPECT_LAUNCH_LIKELY_MPI_H

#include "launch/program.h"

/* Which MPI a program that is linked with none will probably load, or start programs of: by its mpi4py, by the programs
 * that a script or the arguments (NULL behind the last) name, by the launcher, by what is installed. NULL: nothing
 * tells.
 */
const struct mpi_family *find_likely_mpi(const struct program *program, char *const *arguments);

#endif
