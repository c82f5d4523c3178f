/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the symbols of an ELF file tell of MPI.
 */
#ifndef MPILENS_INSPECT_LAUNCH_PROGRAM_IMPORTS_H
#define MPILENS_INSPECT_LAUNCH_PROGRAM_IMPORTS_H

#include <stdbool.h>

/* Whether an ELF file defines functions that only an MPI library does. */
bool has_mpi_inside(const char *path);

/* False where a dynamic ELF file that needs no MPI can come by none. */
bool may_come_to_use_mpi(const char *path);

#endif
