/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the record of any object that attributes or error handlers belong to, by its handle.
 */
#include "objects/objects.h"

void *attachable_find(struct thread *thread, enum mpilens_attachable kind, uint64_t handle)
{
    switch (kind) {
    case MPILENS_ATTACHABLE_COMMUNICATOR:
        return communicator_find_fast(thread, handle);
    case MPILENS_ATTACHABLE_DATATYPE:
        return datatype_of_handle(handle);
    case MPILENS_ATTACHABLE_WINDOW:
        return window_find(thread, handle);
    case MPILENS_ATTACHABLE_FILE:
        return file_find(handle);
    case MPILENS_ATTACHABLE_SESSION:
        return session_find(handle);
    default:
        return NULL;
    }
}

void attachable_finalized(void)
{
    attributes_object_freed(communicator_find(HANDLE_VALUE(MPI_COMM_SELF)));
    attributes_object_freed(communicator_find(HANDLE_VALUE(MPI_COMM_WORLD)));
}
