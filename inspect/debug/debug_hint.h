/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why a place in a program or library has no source line.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_HINT_H
#define MPILENS_INSPECT_DEBUG_DEBUG_HINT_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* What its user can do to get lines of the module with this path: "compile halo with -g, and do not strip it".
 * `is_live`: it is of a process, not of a core file. NULL: it is part of the system or of MPI. The caller frees it. */
char *debug_hint_of(Dwfl_Module *module, const char *path, bool is_live);

#endif
