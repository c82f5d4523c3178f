/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks for everything that mpidbg.h can tell, as debuggers of both generations.
 */
#ifndef MPILENS_WALK_MPIDBG_H
#define MPILENS_WALK_MPIDBG_H

#include "fake_debugger.h"

struct walk_mpidbg_result {
    uint64_t found; /* queries that found something */
    uint64_t wrong; /* answers that no target may cause: codes that do not exist, text without end, missing arrays */
};

/* Sets everything up, asks about one handle of each kind, converts it from Fortran and `object` from C++, and ends it
 * all. values[kind]: with enum mpilens_object_kind up to statuses. `object`: an address. */
struct walk_mpidbg_result walk_mpidbg(struct fake_debugger *debugger, const uint64_t *values, uint64_t object);

#endif
