/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records operations that have a request and are not messages.
 */
#include "operations/operations.h"

#include "objects/objects.h"

void request_operation_started(struct thread *thread, struct mpilens_operation *operation, int error, uint64_t request)
{
    if (operation == NULL)
        return;
    if (error != MPI_SUCCESS) {
        operation_failed(thread, operation);
        return;
    }
    if (operation->state == MPILENS_OPERATION_PERSISTENT) { /* never complete by nature */
        operation->request = request;
        operation_insert(thread, operation, request);
        return;
    }
    if (request_is_complete_by_nature(request))
        request_operation_over(operation);
    operation_bind(thread, operation, request);
}

void communicator_pending_started(struct thread *thread, uint64_t site, uint32_t function,
                                  const struct mpilens_communicator *parent, const struct mpilens_communicator *created,
                                  struct mpilens_collective *call, uint64_t request)
{
    const struct request_operation begun = {.site = site,
                                            .communicator = (uint64_t)(uintptr_t)parent,
                                            .object = (uint64_t)(uintptr_t)created,
                                            .detail = call->serial,
                                            .peer = -1,
                                            .function = function,
                                            .flags = MPILENS_OPERATION_COMMUNICATOR,
                                            .state = MPILENS_OPERATION_PENDING};
    struct mpilens_operation *operation = request_operation_begin(thread, &begun);
    if (operation == NULL) /* nothing will say when it is over */
        collective_leave(thread, call, MPI_SUCCESS);
    request_operation_started(thread, operation, MPI_SUCCESS, request);
}
