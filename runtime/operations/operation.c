/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Begins operations in the general case, and ends those that never complete normally.
 */
#include "operations/operations.h"

#include "mpi/functions.h"

struct mpilens_operation *operation_begin_slowly(struct thread *thread, const struct operation_arguments *arguments)
{
    const struct operation_cache_entry *entry =
        operation_cache_place(thread, arguments->communicator, arguments->datatype, arguments->peer);
    if (!operation_cache_hit(entry, arguments->communicator, arguments->datatype, arguments->peer))
        entry = operation_cache_fill(thread, arguments->communicator, arguments->datatype, arguments->peer);
    if (thread->free_operations == NULL && !operation_take_slowly(thread))
        return NULL;
    struct mpilens_operation *operation = operation_take(thread);
    operation_begin_at(thread, entry, operation, *arguments);
    return operation;
}

/* A record whose request handle names another operation now: its end was not seen. */
static void drop(struct mpilens_operation *operation)
{
    struct mpilens_operation *second = operation_second(operation);
    if (second != NULL)
        operation->second = 0;
    partitioned_forget(operation);
    collective_forget_arrays(operation);
    request_operation_forget(operation);
    operation_return_abandoned(operation);
    if (second != NULL)
        operation_return_abandoned(second);
}

void operation_insert_slowly(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    if (request_is_complete_by_nature(request) && request_table_append_own(&thread->requests, request, operation))
        return;
    struct mpilens_operation *stale = request_table_insert_slowly(&thread->requests, request, operation);
    while (unlikely(stale != NULL)) {
        struct mpilens_operation *next = operation_at(stale->next);
        drop(stale);
        stale = next;
    }
}

bool error_is_truncation(int error)
{
    int error_class = MPI_ERR_OTHER;
    mpilens__asked.MPI_Error_class(error, &error_class);
    return error_class == MPI_ERR_TRUNCATE;
}

/* The message was too long for its receive. The status need not be set; only the request of the receive is certain. */
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
    mpilens__asked.MPI_Test_cancelled(status, &cancelled);
    if (cancelled)
        operation->flags |= MPILENS_OPERATION_CANCELLED;
    return !cancelled;
}

bool operation_received(struct thread *thread, struct mpilens_operation *operation, struct mpilens_channel *channel,
                        const MPI_Status *status, int error)
{
    int32_t source = status->MPI_SOURCE;
    if (operation->peer == MPI_PROC_NULL) {
        operation_set_actual_nothing(operation);
        return true;
    }
    operation_set_actual(operation, status);
    if (error != MPI_SUCCESS || (operation->flags & MPILENS_OPERATION_CANCEL_CALLED)) {
        if (!operation_received_despite(operation, error, status))
            return false;
        source = operation->actual_source;
    }
    if (channel == NULL || operation->peer != source)
        channel = operation_channel(thread, operation, source);
    channel->received++;
    return true;
}

void operation_count_received(struct thread *thread, const struct mpilens_operation *operation, int32_t source)
{
    operation_channel(thread, operation, source)->received++;
}

/* A refused call has sent nothing: the receiver never counts it, so the sender must not count it. */
void operation_forget_use(struct thread *thread, const struct mpilens_operation *operation)
{
    if (operation->posted == thread->unknown_datatype_serial)
        thread->unknown_datatype_serial = 0; /* it may be none */
    if (operation->flags & MPILENS_OPERATION_SEND)
        operation_channel_slowly(thread, operation, operation->peer)->sent--;
}

void operation_failed(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation->flags & MPILENS_OPERATION_COLLECTIVE)
        collective_never_was(operation);
    request_operation_forget(operation);
    operation_forget_use(thread, operation);
    operation_discard(thread, operation);
}

/* A borrowed record is the next place of the recorder; it stays there, so only its state changes. */
void operation_failed_borrowed(struct thread *thread, struct mpilens_operation *operation)
{
    operation_forget_use(thread, operation);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_ABANDONED, __ATOMIC_RELEASE);
}

int operation_end_failed_start(struct thread *thread, int error)
{
    failed_call_returned(thread, error);
    operation_failed(thread, operation_of_call(thread));
    call_end(thread);
    return error;
}

int operation_end_failed_send(struct thread *thread, int error)
{
    failed_call_returned(thread, error);
    operation_failed_borrowed(thread, operation_of_call(thread));
    call_end(thread);
    return error;
}

int operation_end_receive_of_any(struct thread *thread, int32_t source)
{
    struct mpilens_operation *operation = operation_of_call(thread);
    operation_count_received(thread, operation, source);
    operation_retire_borrowed(thread, operation);
    call_end(thread);
    return MPI_SUCCESS;
}

int operation_end_start_slowly(struct thread *thread)
{
    struct mpilens_operation *operation = operation_of_call(thread);
    operation_insert_slowly(thread, operation, operation->request);
    call_end(thread);
    return MPI_SUCCESS;
}

int operation_end_failed_receive(struct thread *thread, const MPI_Status *status, int error)
{
    struct mpilens_operation *operation = operation_of_call(thread);
    if (operation_received(thread, operation, operation_kept_channel(operation), status, error))
        operation_retire_borrowed(thread, operation);
    else
        operation_failed_borrowed(thread, operation);
    failed_call_returned(thread, error);
    call_end(thread);
    return error;
}

void operation_discard(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation->thread != thread->published.index) {
        operation_return_abandoned(operation);
        return;
    }
    operation_retire(thread, operation);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_ABANDONED, __ATOMIC_RELEASE);
}
