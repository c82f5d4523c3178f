/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records completion for arrays of requests, and in the general case.
 */
#include "operations/operations.h"

#include "memory/memory.h"
#include "mpi/functions.h"

#include <string.h>

static int class_of(int error)
{
    int error_class = MPI_SUCCESS;
    if (unlikely(error != MPI_SUCCESS))
        mpilens__asked.MPI_Error_class(error, &error_class);
    return error_class;
}

/* Whether what a persistent request had started is over, though its handle stays: not where the error is one of the
 * call's arguments. */
static bool persistent_is_over(const struct mpilens_operation *persistent, int error)
{
    if (persistent->started == 0)
        return false;
    if (likely(error == MPI_SUCCESS))
        return true;
    int error_class = class_of(error);
    return error_class != MPI_ERR_REQUEST && error_class != MPI_ERR_ARG && error_class != MPI_ERR_COUNT &&
           error_class != MPI_ERR_PENDING;
}

/* After an error the library may have freed a persistent request by itself, as Open MPI does. */
static void persistent_failed(struct thread *thread, struct mpilens_operation *persistent, uint64_t value,
                              MPI_Request request)
{
    if (request == MPI_REQUEST_NULL)
        request_freed(thread, persistent, value);
}

/* Takes an operation that this thread has started out of its table. False: look closer. */
INLINE bool remove_quickly(struct thread *thread, uint64_t value, const struct mpilens_operation *operation)
{
    if (likely(!(operation->flags & MPILENS_OPERATION_SHARES_REQUEST)))
        return request_table_remove_own(&thread->requests, value, operation);
    return request_is_complete_by_nature(value) && request_table_remove_oldest_own(&thread->requests, value, operation);
}

void completion_end_slowly(struct thread *thread, struct mpilens_operation *operation, uint64_t value,
                           const MPI_Request *request, const MPI_Status *status, int error)
{
    if (thread->requests.shared && request_is_complete_by_nature(value)) {
        if (request != NULL && value != HANDLE_VALUE(MPI_REQUEST_NULL) && *request == MPI_REQUEST_NULL)
            operation_complete_any(thread, value, status, error);
        return;
    }
    if (operation == NULL)
        return;
    /* If its request is another one, another thread has collected it and its record serves another operation. */
    if (operation->state == MPILENS_OPERATION_PERSISTENT && operation->request == value) {
        if (persistent_is_over(operation, error))
            persistent_complete(thread, operation, status, error);
        if (unlikely(error != MPI_SUCCESS))
            persistent_failed(thread, operation, value, *request);
        return;
    }
    if (*request != MPI_REQUEST_NULL)
        return;
    uint32_t not_simple = operation->flags & COMPLETION_NOT_SIMPLE;
    if (likely(!(not_simple & ~(MPILENS_OPERATION_OTHER_CLASSES | MPILENS_OPERATION_SHARES_REQUEST)) &&
               remove_quickly(thread, value, operation))) {
        if (not_simple & MPILENS_OPERATION_OTHER_CLASSES)
            request_operation_forget(operation);
        if (likely(!(operation->flags & MPILENS_OPERATION_RECEIVE) ||
                   operation_received(thread, operation, NULL, status, error)))
            operation_retire(thread, operation);
        else
            operation_discard(thread, operation);
        return;
    }
    operation_complete(thread, operation, value, status, error);
}

int completion_end_unusually(struct thread *thread, struct mpilens_operation *operation, const MPI_Request *request,
                             const MPI_Status *status, int error)
{
    completion_end_slowly(thread, operation, operation->request, request, status, error);
    call_end(thread);
    return error;
}

bool completion_provide_statuses(struct thread *thread, size_t count, MPI_Status **statuses)
{
    struct scratch *scratch = &thread->scratch;
    if (statuses == NULL || *statuses != MPI_STATUSES_IGNORE || count == 0)
        return true;
    if (unlikely(count * sizeof **statuses > scratch->statuses_bytes) &&
        !memory_reserve(&scratch->statuses, &scratch->statuses_bytes, count * sizeof **statuses))
        return false;
    *statuses = scratch->statuses;
    return true;
}

bool completion_begin_array_slowly(struct thread *thread, uint32_t function, uint64_t site, int count,
                                   const MPI_Request *requests, MPI_Status **statuses)
{
    size_t wanted = count > 0 && requests != NULL ? (size_t)count : 0;
    struct scratch *scratch = &thread->scratch;
    bool room = likely(wanted * sizeof *requests <= scratch->handles_bytes) ||
                memory_reserve_shown(&scratch->handles, &scratch->handles_bytes, wanted * sizeof *requests);
    scratch->handles_of = NULL;
    room = room && completion_provide_statuses(thread, wanted, statuses);
    if (room && wanted > 0)
        memcpy(thread->scratch.handles, requests, wanted * sizeof *requests);
    thread->published.requests = (uint64_t)(uintptr_t)thread->scratch.handles;
    thread->published.request_count = room ? wanted : 0;
    call_begin_counting(thread, function, site, NULL);
    return room && wanted > 0;
}

/* Nothing has been started without a record. */
static bool all_are_tracked(void)
{
    for (struct thread *other = __atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE); other != NULL;
         other = other->next)
        if (__atomic_load_n(&other->published.untracked, __ATOMIC_RELAXED) != 0)
            return false;
    return true;
}

/* `operation`, found through `request`, is over. */
static void complete(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                     const MPI_Status *status, int error)
{
    if (operation->request == request && operation->state == MPILENS_OPERATION_PERSISTENT)
        persistent_complete(thread, operation, status, error); /* the request stays and becomes inactive */
    else
        operation_complete(thread, operation, request, status, error);
}

/* The i-th request has completed, its variable is now `request`. */
static void complete_copy(struct thread *thread, int i, MPI_Request request, const MPI_Status *status, int error)
{
    MPI_Request copy = ((const MPI_Request *)thread->scratch.handles)[i];
    uint64_t value = HANDLE_VALUE(copy);
    if (copy == MPI_REQUEST_NULL)
        return;
    if (thread->requests.shared && request_is_complete_by_nature(value)) {
        if (request == MPI_REQUEST_NULL)
            operation_complete_any(thread, value, status, error);
        return;
    }
    /* The handle's operation when the call began. */
    struct mpilens_operation *operation = request_find_anywhere(thread, value, thread->published.entered);
    if (operation != NULL && operation->state == MPILENS_OPERATION_PERSISTENT) {
        if (persistent_is_over(operation, error))
            complete(thread, operation, value, status, error);
        if (unlikely(error != MPI_SUCCESS))
            persistent_failed(thread, operation, value, request);
    } else if (operation != NULL) {
        if (request == MPI_REQUEST_NULL)
            complete(thread, operation, value, status, error);
    } else if (thread->requests.shared && request == MPI_REQUEST_NULL && all_are_tracked()) {
        /* The library has used the handle again, and whoever has collected the next operation has taken this one for
         * it: that one is left. */
        operation_complete_any(thread, value, status, error);
    }
}

/* The usual cases of complete_copy: a message that this thread has started, no error. False: it is none. */
INLINE bool complete_quickly(struct thread *thread, MPI_Request copy, MPI_Request request, const MPI_Status *status)
{
    const uint64_t value = HANDLE_VALUE(copy);
    struct mpilens_operation **bucket = request_table_own_bucket(&thread->requests, value);
    struct mpilens_operation *operation = *bucket;
    if (unlikely(operation->request != value))
        return false;
    const uint32_t not_simple = operation->flags & COMPLETION_NOT_SIMPLE;
    if (likely(not_simple == 0)) {
        if (unlikely(request != MPI_REQUEST_NULL))
            return false;
        *bucket = operation_at(operation->next);
    } else if (not_simple == MPILENS_OPERATION_PAIRED && operation->state == MPILENS_OPERATION_PERSISTENT) {
        struct mpilens_operation *started = operation_at(operation->started);
        if (!persistent_is_simple(operation) || started->thread != thread->published.index)
            return false;
        __atomic_store_n(&operation->started, 0, __ATOMIC_RELEASE);
        operation = started;
    } else if (not_simple != MPILENS_OPERATION_SHARES_REQUEST || request != MPI_REQUEST_NULL ||
               !remove_quickly(thread, value, operation))
        return false;
    completion_of_own(thread, operation, status);
    return true;
}

static void end_some(struct thread *thread, int outcount, const int *indices, const MPI_Request *requests,
                     const MPI_Status *statuses, int error)
{
    bool errors_in_statuses = class_of(error) == MPI_ERR_IN_STATUS;
    uint64_t count = thread->published.request_count;
    for (int i = 0; i < outcount && (uint64_t)i < count; i++) /* outcount, indices: after an error, anything */
        if (indices[i] >= 0 && (uint64_t)indices[i] < count)
            complete_copy(thread, indices[i], requests[indices[i]], &statuses[i],
                          errors_in_statuses ? statuses[i].MPI_ERROR : error);
    thread->published.request_count = 0;
}

void completion_end_any(struct thread *thread, const int *index, const MPI_Request *requests, const MPI_Status *status,
                        int error)
{
    end_some(thread, index != NULL ? 1 : 0, index, requests, status, error);
}

void completion_end_some(struct thread *thread, const int *outcount, const int *indices, const MPI_Request *requests,
                         const MPI_Status *statuses, int error)
{
    end_some(thread, outcount != NULL && indices != NULL ? *outcount : 0, indices, requests, statuses, error);
}

/* As completion_end_all, where the call has failed. */
static COLD void end_all_with_errors(struct thread *thread, int count, const MPI_Request *requests,
                                     const MPI_Status *statuses, int error)
{
    const bool errors_in_statuses = class_of(error) == MPI_ERR_IN_STATUS;
    const MPI_Request *copies = thread->scratch.handles;
    for (int i = 0; i < count; i++) {
        if (!errors_in_statuses && requests[i] == copies[i])
            continue; /* the call as a whole has failed */
        const int error_of_one = errors_in_statuses ? statuses[i].MPI_ERROR : error;
        if (class_of(error_of_one) != MPI_ERR_PENDING)
            complete_copy(thread, i, requests[i], &statuses[i], error_of_one);
    }
}

INLINE void end_all(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                    int error)
{
    const MPI_Request *copies = thread->scratch.handles;
    if (unlikely(error != MPI_SUCCESS))
        end_all_with_errors(thread, count, requests, statuses, error);
    else
        for (int i = 0; i < count; i++)
            if (unlikely(!complete_quickly(thread, copies[i], requests[i], &statuses[i])))
                complete_copy(thread, i, requests[i], &statuses[i], MPI_SUCCESS);
    thread->published.request_count = 0;
}

void completion_end_all(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                        int error)
{
    end_all(thread, count, requests, statuses, error);
}

int completion_end_waitall(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                           int error)
{
    end_all(thread, count, requests, statuses, error);
    call_end(thread);
    return error;
}
