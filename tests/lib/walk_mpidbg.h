/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks for everything that mpidbg.h can tell, as debuggers of both generations.
 */
#ifndef MPILENS_WALK_MPIDBG_H
#define MPILENS_WALK_MPIDBG_H

#include "fake_debugger.h"

struct walk_mpidbg_result {
    uint64_t found; /* queries that found something */
    uint64_t wrong; /* what no target may cause: codes that do not exist, text without end, arrays that are missing */
};

/* Sets everything up, takes every value as a handle of every kind, of C, Fortran and C++, and ends it all. */
struct walk_mpidbg_result walk_mpidbg(struct fake_debugger *, const uint64_t *values, size_t count);

#endif
