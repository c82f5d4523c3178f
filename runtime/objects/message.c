/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps records of messages that a matched probe has taken.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/mpi_traits.h"

static struct handle_map messages = HANDLE_MAP_INITIALIZER;

void message_matched(uint32_t function, uint64_t site, MPI_Comm communicator, MPI_Message handle,
                     const MPI_Status *status)
{
    if (handle == MPI_MESSAGE_NULL || handle == MPI_MESSAGE_NO_PROC)
        return;
    struct mpilens_message *stale = handle_map_find(&messages, HANDLE_VALUE(handle));
    struct mpilens_message *record = table_take_one(MPILENS_TABLE_MESSAGES); /* first: then it is not the stale one */
    if (stale != NULL) /* received by a call that was not seen, or that has not returned yet */
        message_received(stale, HANDLE_VALUE(handle));
    if (record == NULL)
        return;
    record->function = function;
    record->handle = HANDLE_VALUE(handle);
    record->communicator = (uint64_t)(uintptr_t)communicator_find(HANDLE_VALUE(communicator));
    record->source = status->MPI_SOURCE;
    record->tag = status->MPI_TAG;
    record->bytes = status_bytes(status);
    record->site = site;
    record->matched_time = clock_ticks();
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    if (!handle_map_set(&messages, record->handle, record))
        table_give_back_untracked(MPILENS_TABLE_MESSAGES, record);
}

struct mpilens_message message_find(MPI_Message handle, struct mpilens_message **ret_record)
{
    struct mpilens_message *record = handle_map_find(&messages, HANDLE_VALUE(handle));
    *ret_record = record;
    return record != NULL ? *record : (struct mpilens_message){.state = 0};
}

void message_received(struct mpilens_message *record, uint64_t handle)
{
    if (record != NULL && handle_map_remove(&messages, handle, record))
        table_give_back_one(MPILENS_TABLE_MESSAGES, record);
}
