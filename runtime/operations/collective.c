/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records nonblocking and persistent collectives.
 */
#include "operations/collective.h"

#include "memory/root.h"
#include "mpi/functions.h"
#include "operations/request_operation.h"

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

static struct request_operation operation_of(struct thread *thread, const struct collective_arguments *arguments)
{
    uint64_t datatype = 0;
    if (arguments->has_datatype)
        datatype = (uint64_t)(uintptr_t)datatype_find(thread, arguments->datatype, false);
    return (struct request_operation){.site = arguments->site,
                                      .buffer = arguments->buffer,
                                      .count = arguments->count < 0 ? 0 : (uint64_t)arguments->count,
                                      .communicator =
                                          (uint64_t)(uintptr_t)communicator_find_fast(thread, arguments->communicator),
                                      .datatype = datatype,
                                      .peer = arguments->has_root ? arguments->root : -1,
                                      .tag = arguments->has_root,
                                      .function = arguments->function,
                                      .flags = MPILENS_OPERATION_COLLECTIVE,
                                      .state = MPILENS_OPERATION_PENDING};
}

struct mpilens_operation *collective_start(struct thread *thread, const struct collective_arguments *arguments)
{
    struct request_operation begun = operation_of(thread, arguments);
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)begun.communicator;
    struct mpilens_collective *call = NULL;
    call_begin_other(thread, arguments->function, arguments->site, record);
    if (record != NULL) {
        call = collective_note(thread, record, arguments->collective_class,
                               collective_described(thread, arguments, begun.datatype));
        begun.detail = call->serial;
    }
    struct mpilens_operation *operation = request_operation_begin(thread, &begun);
    if (operation == NULL && call != NULL) /* nothing will say when it is over */
        collective_note_end(thread, record, arguments->collective_class, call);
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    return operation;
}

/* What a persistent one's later calls need and operations have no field for: the op as actual_bytes, whether it has a
 * count as actual_tag. */
void collective_bind(struct thread *thread, const struct collective_arguments *arguments, uint64_t request)
{
    struct request_operation begun = operation_of(thread, arguments);
    begun.flags |= MPILENS_OPERATION_PAIRED;
    begun.state = MPILENS_OPERATION_PERSISTENT;
    begun.detail = arguments->op;
    struct mpilens_operation *persistent = request_operation_begin(thread, &begun);
    if (persistent != NULL)
        persistent->actual_tag = arguments->count >= 0;
    request_operation_started(thread, persistent, MPI_SUCCESS, request);
}

uint64_t collective_restart(struct thread *thread, const struct mpilens_operation *persistent)
{
    struct mpilens_communicator *record = communicator_of(persistent);
    if (record == NULL)
        return 0;
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
                                           .buffer = persistent->buffer})
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
