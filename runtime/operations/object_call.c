/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records calls that start an operation on a window or a file.
 */
#include "operations/operations.h"

#include "objects/objects.h"

struct mpilens_operation *call_begin_object_operation(struct thread *thread, const struct request_operation *begun)
{
    void *object = (void *)(uintptr_t)begun->object;
    struct mpilens_operation *operation = request_operation_begin(thread, begun);
    if (operation != NULL)
        object_use(object); /* until request_operation_over */
    thread->published.polls = 0;
    thread->published.object = begun->object;
    thread->published.target = begun->peer;
    thread->published.site = begun->site;
    thread->published.communicator = begun->communicator;
    thread->published.entered = clock_ticks();
    call_begin_operation(thread, begun->function, operation);
    return operation;
}
