/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What attributes and error handlers belong to.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_ATTACHABLE_H
#define MPILENS_RUNTIME_OBJECTS_ATTACHABLE_H

#include "thread/thread.h"

/* The record of the object that a handle names now, or NULL. */
void *attachable_find(struct thread *thread, enum mpilens_attachable kind, uint64_t handle);

/* The communicator that a call on this object works on: its record, or NULL. */
INLINE const struct mpilens_communicator *attachable_communicator(enum mpilens_attachable kind, const void *object)
{
    return kind == MPILENS_ATTACHABLE_COMMUNICATOR ? object : NULL;
}

/* MPI_Finalize has returned: what the application had set on MPI_COMM_SELF and MPI_COMM_WORLD is deleted. */
void attachable_finalized(void);

#endif
