/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells communicators, windows, files and the order of collectives that an operation on them is over.
 */
#include "operations/operations.h"

#include "objects/objects.h"

/* False: it had been before. Threads may come to know it at the same time. */
static bool set_finished(struct mpilens_operation *operation)
{
    if (__atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE)->requests.shared)
        return !(__atomic_fetch_or(&operation->flags, MPILENS_OPERATION_FINISHED, __ATOMIC_RELAXED) &
                 MPILENS_OPERATION_FINISHED);
    bool first = !(operation->flags & MPILENS_OPERATION_FINISHED);
    operation->flags |= MPILENS_OPERATION_FINISHED;
    return first;
}

void request_operation_over(struct mpilens_operation *operation)
{
    if (operation->state == MPILENS_OPERATION_PERSISTENT || !set_finished(operation))
        return;
    void *object = (void *)(uintptr_t)operation->object;
    if ((operation->flags & MPILENS_OPERATION_COMMUNICATOR) && object != NULL)
        communicator_used(object);
    if (operation->flags & MPILENS_OPERATION_ONE_SIDED)
        window_operation_over(object);
    if (operation->flags & MPILENS_OPERATION_FILE)
        file_operation_over(object);
    if (operation->flags & (MPILENS_OPERATION_COLLECTIVE | MPILENS_OPERATION_COMMUNICATOR))
        collective_over(operation);
}

void request_operation_forget(struct mpilens_operation *operation)
{
    if (!(operation->flags & MPILENS_OPERATION_OTHER_CLASSES))
        return;
    request_operation_over(operation);
    operation->object = 0;
}
