/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends operations in the general case.
 */
#include "operations/operation_complete.h"

#include "mpi/functions.h"
#include "operations/operation.h"
#include "operations/persistent.h"
#include "operations/request_operation.h"
#include "thread/request_table_anywhere.h"

bool error_is_truncation(int error)
{
    int error_class = MPI_ERR_OTHER;
    mpilens__real.MPI_Error_class(error, &error_class);
    return error_class == MPI_ERR_TRUNCATE;
}

/* The message of a receive was too long for it. Its status need not be set: what the receive asked for is certain. */
static void note_truncated(struct mpilens_operation *operation)
{
    operation->flags |= MPILENS_OPERATION_TRUNCATED;
    if (operation->peer != MPI_ANY_SOURCE)
        operation->actual_source = operation->peer;
    if (operation->tag != MPI_ANY_TAG)
        operation->actual_tag = operation->tag;
    if (!TRUNCATED_STATUS_HAS_BYTES)
        operation->actual_bytes = UINT64_MAX;
}

bool operation_received_despite(struct mpilens_operation *operation, int error, const MPI_Status *status)
{
    if (error != MPI_SUCCESS) {
        bool is_truncated = error_is_truncation(error);
        if (is_truncated)
            note_truncated(operation);
        return is_truncated;
    }
    int cancelled = 0;
    mpilens__real.MPI_Test_cancelled(status, &cancelled);
    if (cancelled)
        operation->flags |= MPILENS_OPERATION_CANCELLED;
    return !cancelled;
}

struct mpilens_channel *operation_channel_slowly(struct thread *thread, const struct mpilens_operation *operation,
                                                 int32_t source)
{
    return channel_or_nowhere(thread, (struct mpilens_communicator *)(uintptr_t)operation->communicator, source);
}

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
    struct mpilens_operation *partner = operation_second(operation);
    if (partner != NULL)
        operation->partner = 0;
    operation_complete_alone(thread, operation, status, error);
    if (partner != NULL)
        operation_complete_alone(thread, partner, status, error);
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
    bool is_here = operation->request == request;
    if (is_here && operation->state == MPILENS_OPERATION_PERSISTENT) { /* the request stays and becomes inactive */
        persistent_complete(thread, operation, status, error);
        return;
    }
    if (!is_here || !request_remove_anywhere(thread, request, operation)) {
        bool reused = thread->requests.shared || request_is_complete_by_nature(request);
        operation = reused ? request_take_anywhere(thread, request) : NULL; /* that of the other thread */
        if (operation == NULL)
            return;
    }
    complete_taken(thread, operation, status, error);
}
