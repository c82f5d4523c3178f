/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts collective calls, and finds their places among the recent ones again.
 */
#include "operations/collective.h"

#include "memory/root.h"
#include "mpi/functions.h"

static uint32_t class_of(uint32_t function)
{
    return (uint32_t)mpilens__functions[function].collective_class;
}

static struct mpilens_communicator *communicator_of(const struct mpilens_operation *operation)
{
    return (struct mpilens_communicator *)(uintptr_t)operation->communicator;
}

/* The call's entry among the recent ones, if it is there still. */
static struct mpilens_collective *entry_of(const struct mpilens_operation *operation)
{
    uint64_t serial = operation->actual_bytes;
    if (serial == 0)
        return NULL;
    struct mpilens_collective *call =
        &communicator_of(operation)->recent_collectives[(serial - 1) % RECENT_COLLECTIVES];
    return __atomic_load_n(&call->serial, __ATOMIC_RELAXED) == serial ? call : NULL;
}

uint64_t collective_restart(struct thread *thread, const struct mpilens_operation *persistent)
{
    struct mpilens_communicator *record = communicator_of(persistent);
    if (record == NULL)
        return 0;
    /* Where the arrays of counts are is not kept; the place must not tell of another call's. */
    return collective_note(
               thread, record, class_of(persistent->function),
               (struct mpilens_collective){.entered = thread->published.entered,
                                           .site = thread->published.site,
                                           .function = persistent->function,
                                           .root = persistent->tag ? persistent->peer : 0,
                                           .has_root = (uint32_t)persistent->tag,
                                           .count = persistent->actual_tag ? (int64_t)persistent->count : -1,
                                           .datatype = persistent->datatype,
                                           .op = persistent->actual_bytes,
                                           .buffer = persistent->buffer},
               &(struct count_arrays){0})
        ->serial;
}

void collective_over(const struct mpilens_operation *operation)
{
    struct mpilens_communicator *record = communicator_of(operation);
    if (record == NULL)
        return;
    struct mpilens_collective *call = entry_of(operation);
    if (call != NULL)
        __atomic_store_n(&call->active, 0, __ATOMIC_RELAXED);
    if (!(operation->flags & MPILENS_OPERATION_COLLECTIVE))
        return; /* MPI_Comm_idup: of no class */
    const struct thread *any_thread = __atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE);
    collective_count_active(any_thread, &record->collective_states[class_of(operation->function)], -1);
}

void collective_never_was(const struct mpilens_operation *operation)
{
    struct mpilens_communicator *record = communicator_of(operation);
    if (record == NULL || operation->actual_bytes == 0 || record->collective_count != operation->actual_bytes)
        return;
    struct mpilens_collective *call = entry_of(operation);
    if (call != NULL) /* unless other threads are in collective calls on it, which must not be */
        call->serial = 0;
    record->collective_count--;
    record->collective_states[class_of(operation->function)].count--;
}

void collective_end_slowly(const struct thread *thread, struct mpilens_collective *call, uint32_t collective_class,
                           int error)
{
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    collective_note_end(thread, record, collective_class, call);
    if (error != MPI_SUCCESS)
        collective_failed(thread, call, error);
}

void collective_abandon(struct thread *thread)
{
    collective_order_abandon(thread);
    const struct mpilens_function *function = &mpilens__functions[thread->published.function];
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    if (function->call_class != MPILENS_CALL_COLLECTIVE || record == NULL)
        return;
    collective_count_active(thread, &record->collective_states[function->collective_class], -1);
}
