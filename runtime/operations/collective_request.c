/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records nonblocking and persistent collectives.
 */
#include "operations/operations.h"

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

/* Apart, so that calls without arrays do not pay for the registers that this needs. The rest is read when the copies
 * are made, and those registers are free. */
static __attribute__((noinline)) struct mpilens_collective *
note_with_arrays(const struct thread *thread, struct mpilens_communicator *record,
                 const struct collective_arguments *arguments, uint64_t datatype)
{
    const uint32_t collective_class = arguments->collective_class;
    uint64_t serial;
    struct mpilens_collective *call =
        collective_open_place(&record->collective_count, record->recent_collectives, &serial);
    count_copies_place(record, call, serial, collective_class, arguments->root, arguments->arrays);
    collective_fill_place(call, serial, collective_described(thread, arguments, datatype), NULL);
    collective_count(thread, record, collective_class, arguments->root);
    return call;
}

struct mpilens_operation *collective_start(struct thread *thread, const struct collective_arguments *arguments)
{
    struct request_operation begun = operation_of(thread, arguments);
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)begun.communicator;
    struct mpilens_collective *call = NULL;
    call_begin_other(thread, arguments->function, arguments->site, record);
    if (record != NULL) {
        call = arguments->arrays != NULL
                   ? note_with_arrays(thread, record, arguments, begun.datatype)
                   : collective_note(thread, record, arguments->collective_class,
                                     collective_described(thread, arguments, begun.datatype), NULL);
        begun.detail = call->serial;
    }
    struct mpilens_operation *operation = request_operation_begin(thread, &begun);
    if (operation == NULL && call != NULL) /* nothing will say when it is over */
        collective_note_end(thread, record, arguments->collective_class, call);
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    return operation;
}

/* Keeps data for later starts of a persistent collective that operations do not need. */
void collective_bind(struct thread *thread, const struct collective_arguments *arguments, uint64_t request)
{
    struct request_operation begun = operation_of(thread, arguments);
    begun.flags |= MPILENS_OPERATION_PAIRED;
    begun.state = MPILENS_OPERATION_PERSISTENT;
    begun.detail = arguments->op;
    struct mpilens_operation *persistent = request_operation_begin(thread, &begun);
    if (persistent != NULL)
        persistent->has_count = arguments->count >= 0;
    if (persistent != NULL && arguments->arrays != NULL && arguments->op == 0)
        collective_keep_arrays(persistent, arguments);
    request_operation_started(thread, persistent, MPI_SUCCESS, request);
}
