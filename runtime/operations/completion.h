/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that wait for requests or ask for them. What a request was is looked up before the call, or, for arrays, by
 * copies of the handles made before it; whether it is over is read from the handle variable after it, whatever the call
 * returned.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_COMPLETION_H
#define MPILENS_RUNTIME_OPERATIONS_COMPLETION_H

#include "operations/persistent.h"
#include "thread/request_table_anywhere.h"

/* As completion_begin_array, also where there is no room yet, or nothing to copy. */
bool completion_begin_array_slowly(struct thread *thread, uint32_t function, uint64_t site, int count,
                                   const MPI_Request *requests, MPI_Status **statuses);

/* Of [count] handles, mostly few: then in less time than it takes to call memcpy. */
INLINE void completion_copy_handles(MPI_Request *copies, const MPI_Request *requests, size_t count)
{
    enum { FEW = 4 };
    if (unlikely(count > FEW)) {
        memcpy(copies, requests, count * sizeof *requests);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        copies[i] = requests[i];
        __asm__("" : : : "memory"); /* or a compiler calls memcpy */
    }
}

/* Copies [count] request handles and, where `statuses` is to be ignored, finds room for as many. The call is in place
 * when this returns. False: no room; then nothing of the call is tracked. */
INLINE bool completion_begin_array(struct thread *thread, uint32_t function, uint64_t site, int count,
                                   const MPI_Request *requests, MPI_Status **statuses)
{
    struct scratch *scratch = &thread->scratch;
    const size_t wanted = (size_t)(unsigned)count;
    const bool ignores = statuses != NULL && *statuses == MPI_STATUSES_IGNORE;
    if (unlikely(count <= 0 || requests == NULL || wanted * sizeof *requests > scratch->handles_bytes ||
                 (ignores && wanted * sizeof **statuses > scratch->statuses_bytes)))
        return completion_begin_array_slowly(thread, function, site, count, requests, statuses);
    if (ignores)
        *statuses = scratch->statuses;
    scratch->handles_of = NULL;
    completion_copy_handles(scratch->handles, requests, wanted);
    thread->published.requests = (uint64_t)(uintptr_t)scratch->handles;
    thread->published.request_count = wanted;
    call_begin_counting(thread, function, site, NULL);
    return true;
}

/* Where `*statuses` is to be ignored, and [count] are wanted, finds room for as many. NULL: the call has none, or one.
 * False: no room. */
bool completion_provide_statuses(struct thread *thread, size_t count, MPI_Status **statuses);

/* After a call that names the one that has completed by `index` (NULL: none has). */
void completion_end_any(struct thread *thread, const int *index, const MPI_Request *requests, const MPI_Status *status,
                        int error);

/* After a call that names what has completed by `indices` [*outcount], statuses in the same order. */
void completion_end_some(struct thread *thread, const int *outcount, const int *indices, const MPI_Request *requests,
                         const MPI_Status *statuses, int error);

/* After a call for all of [count] that has failed, or has found all complete. */
void completion_end_all(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                        int error);

/* Likewise, and the call is over. Returns `error`. */
int completion_end_waitall(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                           int error);

/* The end of a wait or successful test, in the general case. `operation` NULL: none was found. */
void completion_end_slowly(struct thread *thread, struct mpilens_operation *operation, uint64_t value,
                           const MPI_Request *request, const MPI_Status *status, int error);

/* What keeps the end of a wait from being simple. */
#define COMPLETION_NOT_SIMPLE                                                                                          \
    (MPILENS_OPERATION_PAIRED | MPILENS_OPERATION_SHARES_REQUEST | MPILENS_OPERATION_CANCEL_CALLED |                   \
     MPILENS_OPERATION_OTHER_CLASSES)

/* The call in place, for one request. */
INLINE void completion_describe(struct thread *thread, uint32_t function, uint64_t site,
                                const struct mpilens_operation *operation)
{
    thread->published.site = site;
    clock_stamp(&thread->published.entered);
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    call_begin(thread, function);
}

/* A call for one request: returns its operation, or NULL. The call is in place when this returns. */
INLINE struct mpilens_operation *completion_begin(struct thread *thread, uint32_t function, uint64_t site,
                                                  const MPI_Request *request, MPI_Status **status)
{
    struct mpilens_operation *operation =
        unlikely(request == NULL) ? NULL : request_find(thread, HANDLE_VALUE(*request));
    if (*status == MPI_STATUS_IGNORE)
        *status = &thread->scratch.status;
    completion_describe(thread, function, site, operation);
    return operation;
}

/* `request` was `value` before the call. */
INLINE void completion_end(struct thread *thread, struct mpilens_operation *operation, uint64_t value,
                           const MPI_Request *request, const MPI_Status *status, int error)
{
    if (likely(operation != NULL) || thread->requests.shared)
        completion_end_slowly(thread, operation, value, request, status, error);
}

/* As completion_end_slowly, and the call is over. Returns `error`. */
int completion_end_unusually(struct thread *thread, struct mpilens_operation *operation, const MPI_Request *request,
                             const MPI_Status *status, int error) COLD;

/* What this thread has started, and is in its table no more, is over without error and cancel. */
INLINE void completion_of_own(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status)
{
    if (operation->flags & MPILENS_OPERATION_RECEIVE)
        operation_received_own(thread, operation, operation_channel_if_kept(operation), status);
    operation_retire(thread, operation);
}

/* The end of a wait for what this thread has started, without peculiarities. `status` is of a receive only. Returns
 * `error`. */
INLINE int completion_end_own(struct thread *thread, struct mpilens_operation *operation, const MPI_Request *request,
                              const MPI_Status *status, bool is_receive, int error)
{
    if (unlikely(error != MPI_SUCCESS || *request != MPI_REQUEST_NULL ||
                 !request_table_remove_own(&thread->requests, operation->request, operation)))
        return completion_end_unusually(thread, operation, request, status, error);
    if (is_receive)
        operation_received_own(thread, operation, operation_channel_if_kept(operation), status);
    operation_retire(thread, operation);
    call_end(thread);
    return MPI_SUCCESS;
}

/* The end of a wait for `persistent`, a request of this thread that was simple. Returns `error`. */
INLINE int completion_end_persistent(struct thread *thread, struct mpilens_operation *persistent,
                                     const MPI_Request *request, const MPI_Status *status, int error)
{
    struct mpilens_operation *started = operation_at(persistent->partner);
    if (unlikely(error != MPI_SUCCESS || started == NULL || (started->flags & PERSISTENT_NOT_SIMPLE)))
        return completion_end_unusually(thread, persistent, request, status, error);
    __atomic_store_n(&persistent->partner, 0, __ATOMIC_RELEASE);
    if (started->flags & MPILENS_OPERATION_RECEIVE)
        operation_received_own(thread, started, operation_channel_if_kept(started), status);
    operation_retire_anyones(thread, started);
    call_end(thread);
    return MPI_SUCCESS;
}

#endif
