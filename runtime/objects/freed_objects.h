/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last communicators, windows and files that the process has freed: struct mpilens_freed_object of layout.def.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_FREED_OBJECTS_H
#define MPILENS_RUNTIME_OBJECTS_FREED_OBJECTS_H

#include "mpilens/layout.h"
#include "mpilens/object_kind.h"

struct freed_object {
    uint32_t kind; /* enum mpilens_object_kind */
    uint64_t unique_id;
    uint64_t collective_count;
    const struct mpilens_collective *recent; /* its last calls */
    uint32_t function;                       /* that has freed it, 0: not seen */
    uint64_t site;
};

/* Of objects that the process shares with others; `communicator`: the one that it is or was made from. */
void freed_objects_note(const struct mpilens_communicator *communicator, const struct freed_object *object);

#endif
