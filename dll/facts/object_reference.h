/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A reference to an object inside the facts of another one.
 */
#ifndef MPILENS_DLL_FACTS_OBJECT_REFERENCE_H
#define MPILENS_DLL_FACTS_OBJECT_REFERENCE_H

#include "snapshot/snapshot.h"

struct object_reference {
    uint32_t kind; /* enum mpilens_object_kind; MPILENS_OBJECT_NONE: no such object in this copy */
    uint32_t serial;
    uint64_t handle;
    uint64_t id; /* unique_id of a communicator, window or file, equal at all members; else 0 */
};

/* The object of this kind whose record stands at `address` of the target. `kind`: that of an object with a serial, or
 * MPILENS_OBJECT_NONE. */
struct object_reference object_reference_get(const struct snapshot *snapshot, int kind, uint64_t address);

/* What has an attribute whose object is of enum mpilens_attachable; MPILENS_OBJECT_NONE: no such thing has attributes.
 */
int attached_kind(uint32_t attachable);

#endif
