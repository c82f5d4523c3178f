/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations that have a request and are not messages.
 */
#include "request_operation.h"

#include "communicator.h"
#include "file.h"
#include "window.h"

struct mpilens_operation *request_operation_begin(struct thread *thread, const struct request_operation *begun)
{
    if (!thread->free_operations && !operation_take_slowly(thread))
        return NULL;
    struct mpilens_operation *operation = operation_take(thread);
    uint64_t serial = ++thread->published.operations;
    operation->state = 0;
    operation->posted_check = serial;
    PUBLISH_BARRIER();
    clock_stamp(&operation->posted_time);
    operation->function = begun->function;
    operation->communicator = begun->communicator;
    operation->datatype = begun->datatype;
    operation->count = begun->count;
    operation->buffer = begun->buffer;
    operation->peer = begun->peer;
    operation->tag = begun->tag;
    operation->site = begun->site;
    operation->flags = begun->flags;
    operation->request = 0;
    operation->actual_bytes = begun->detail;
    operation->partner = begun->object;
    PUBLISH_BARRIER();
    operation->posted = serial;
    PUBLISH_BARRIER();
    __atomic_store_n(&operation->state, begun->state, __ATOMIC_RELAXED);
    return operation;
}

void request_operation_started(struct thread *thread, struct mpilens_operation *operation, int error, uint64_t request)
{
    if (!operation)
        return;
    if (error != MPI_SUCCESS) {
        operation_failed(thread, operation);
        return;
    }
    if (operation->state == MPILENS_OPERATION_PERSISTENT) { /* never complete by nature */
        operation->request = request;
        request_table_insert(&thread->requests, request, operation);
        return;
    }
    /* Of several that share a request, the table needs actual_bytes: what they work on must know before. */
    if (request_is_complete_by_nature(request))
        request_operation_over(operation);
    operation_bind(thread, operation, request);
}

void communicator_pending_started(struct thread *thread, uint64_t site, uint32_t function,
                                  const struct mpilens_communicator *parent, const struct mpilens_communicator *created,
                                  uint64_t request)
{
    const struct request_operation begun = {.site = site,
                                            .communicator = (uint64_t)(uintptr_t)parent,
                                            .object = (uint64_t)(uintptr_t)created,
                                            .peer = -1,
                                            .function = function,
                                            .flags = MPILENS_OPERATION_COMMUNICATOR,
                                            .state = MPILENS_OPERATION_PENDING};
    request_operation_started(thread, request_operation_begin(thread, &begun), MPI_SUCCESS, request);
}

void request_operation_over(struct mpilens_operation *operation)
{
    if ((operation->flags & MPILENS_OPERATION_FINISHED) || operation->state == MPILENS_OPERATION_PERSISTENT)
        return;
    operation->flags |= MPILENS_OPERATION_FINISHED;
    void *object = (void *)(uintptr_t)operation->partner;
    if ((operation->flags & MPILENS_OPERATION_COMMUNICATOR) && object)
        communicator_used(object);
    else if (operation->flags & MPILENS_OPERATION_ONE_SIDED)
        window_operation_over(object);
    else if (operation->flags & MPILENS_OPERATION_FILE)
        file_operation_over(object);
}

void request_operation_forget(struct mpilens_operation *operation)
{
    if (!(operation->flags & MPILENS_OPERATION_OTHER_CLASSES))
        return;
    request_operation_over(operation);
    operation->partner = 0;
}
