/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends operations in the general case.
 */
#include "operations/operations.h"

#include "thread/thread.h"

/* A send that a cancel has undone. */
static bool unsent(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status, int error)
{
    if (!(operation->flags & MPILENS_OPERATION_CANCEL_CALLED) || error != MPI_SUCCESS ||
        operation_received_despite(operation, error, status))
        return false;
    operation_forget_use(thread, operation);
    return true;
}

void operation_complete_alone(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                              int error)
{
    if (operation->flags & MPILENS_OPERATION_OTHER_CLASSES) {
        request_operation_forget(operation);
        operation_retire_anyones(thread, operation);
        return;
    }
    MPI_Status of_peer = *status;
    if (operation->flags & MPILENS_OPERATION_PARTITIONED) { /* no wildcards, and not every library gives its status */
        of_peer.MPI_SOURCE = operation->peer;
        of_peer.MPI_TAG = operation->tag;
        status = &of_peer;
    }
    bool no_message = operation->flags & MPILENS_OPERATION_RECEIVE
                          ? !operation_received(thread, operation, NULL, status, error)
                          : unsent(thread, operation, status, error);
    if (no_message)
        operation_discard(thread, operation);
    else
        operation_retire_anyones(thread, operation);
}

/* `operation` is in no table any more. */
static void complete_taken(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                           int error)
{
    struct mpilens_operation *second = operation_second(operation);
    if (second != NULL)
        operation->second = 0;
    operation_complete_alone(thread, operation, status, error);
    if (second != NULL)
        operation_complete_alone(thread, second, status, error);
}

void operation_complete_any(struct thread *thread, uint64_t request, const MPI_Status *status, int error)
{
    struct mpilens_operation *operation = request_take_anywhere(thread, request);
    if (operation != NULL)
        complete_taken(thread, operation, status, error);
}

void operation_complete(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                        const MPI_Status *status, int error)
{
    /* Another thread may have collected it, because the library uses one handle for several requests, or again at once;
     * by now its record may be another operation's. */
    if (operation->request != request || !request_remove_anywhere(thread, request, operation)) {
        bool reused = thread->requests.shared || request_is_complete_by_nature(request);
        operation = reused ? request_take_anywhere(thread, request) : NULL; /* the other thread's operation */
        if (operation == NULL)
            return;
    }
    complete_taken(thread, operation, status, error);
}
