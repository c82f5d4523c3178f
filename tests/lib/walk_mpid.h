/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks for everything that mpid.h can tell.
 */
#ifndef MPILENS_WALK_MPID_H
#define MPILENS_WALK_MPID_H

#include "mpid_debugger.h"

struct walk_mpid_result {
    uint64_t found;   /* handles that named something */
    uint64_t answers; /* queries that succeeded */
    uint64_t wrong; /* answers that no target may cause: unknown results, missing text, a successful query of the wrong
                       kind */
};

/* Every value as a handle of every kind, in both languages, and as the address of a status; and what has a name. */
struct walk_mpid_result walk_mpid(mpid_process_handle_t *process, const uint64_t *values, size_t count);

/* As above, for one value of each kind: values[kind], with enum mpilens_object_kind up to statuses. `in_fortran`: bits
 * of the kinds whose value is a handle of Fortran. */
struct walk_mpid_result walk_mpid_kinds(mpid_process_handle_t *process, const uint64_t *values, unsigned in_fortran);

#endif
