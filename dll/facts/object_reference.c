/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Resolves references from one record to another object.
 */
#include "facts/facts.h"

#include "mpilens/extension.h"
#include "snapshot/snapshot.h"

static uint64_t unique_id_of(int kind, const void *record)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return ((const struct mpilens_communicator *)record)->unique_id;
    case MPILENS_OBJECT_WINDOW:
        return ((const struct mpilens_window *)record)->unique_id;
    case MPILENS_OBJECT_FILE:
        return ((const struct mpilens_file *)record)->unique_id;
    default:
        return 0;
    }
}

struct object_reference object_reference_get(const struct snapshot *snapshot, int kind, uint64_t address)
{
    const enum mpilens_table_kind table = object_table(kind);
    const struct mpilens_object *object =
        table != MPILENS_TABLE_COUNT ? snapshot_record(snapshot, table, address) : NULL;
    if (object == NULL)
        return (struct object_reference){.kind = MPILENS_OBJECT_NONE};
    return (struct object_reference){
        .kind = (uint32_t)kind, .serial = object->serial, .handle = object->handle, .id = unique_id_of(kind, object)};
}

int attached_kind(uint32_t attachable)
{
    switch (attachable) {
    case MPILENS_ATTACHABLE_COMMUNICATOR:
        return MPILENS_OBJECT_COMMUNICATOR;
    case MPILENS_ATTACHABLE_DATATYPE:
        return MPILENS_OBJECT_DATATYPE;
    case MPILENS_ATTACHABLE_WINDOW:
        return MPILENS_OBJECT_WINDOW;
    default:
        return MPILENS_OBJECT_NONE;
    }
}
