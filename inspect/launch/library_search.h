/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The libraries that an ELF file needs.
 */
#ifndef MPILENS_INSPECT_LAUNCH_LIBRARY_SEARCH_H
#define MPILENS_INSPECT_LAUNCH_LIBRARY_SEARCH_H

#include "launch/mpi_family.h"

/* The first MPI library among those that the ELF file needs, directly or not, nearest first; NULL: none. */
const struct mpi_family *find_needed_mpi(const char *path);

#endif
