/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives up what a call was doing that an error handler has jumped out of.
 */
#include "operations/operations.h"

/* Abandons the work of the call itself; operations with a request live on. The call has failed. */
static void abandon(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation == NULL || operation->thread != thread->published.index ||
        operation->function != thread->published.function ||
        (!(operation->flags & MPILENS_OPERATION_BLOCKING) && operation->request != 0) ||
        (operation->state != MPILENS_OPERATION_PENDING && operation->state != MPILENS_OPERATION_MATCHED))
        return;
    if (operation_is_borrowed(thread, operation))
        operation_failed_borrowed(thread, operation);
    else
        operation_failed(thread, operation);
}

void operation_abandon_current(struct thread *thread)
{
    abandon(thread, operation_at(thread->published.operation));
    abandon(thread, operation_at(thread->published.operation_2));
    persistent_abandon(thread);
    thread->published.operation = 0;
    thread->published.operation_2 = 0;
    thread->published.request_count = 0;
}
