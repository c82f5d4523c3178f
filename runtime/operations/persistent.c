/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts persistent requests.
 */
#include "operations/operations.h"

#include "mpi/functions.h"
#include "thread/thread.h"

void persistent_bind(struct thread *thread, struct mpilens_operation *persistent, uint64_t request)
{
    if (persistent == NULL)
        return;
    persistent->request = request;
    operation_insert(thread, persistent, request); /* never complete by nature */
}

/* A new operation with the arguments of a persistent request that any thread may have made; or NULL. */
static struct mpilens_operation *start_one(struct thread *thread, const struct mpilens_operation *persistent)
{
    if (thread->free_operations == NULL && !operation_take_slowly(thread))
        return NULL;
    if (persistent->thread == thread->published.index && persistent_starts_simply(persistent))
        return persistent_begin_simply(thread, persistent);
    uint64_t detail = 0;
    struct mpilens_channel *channel = &thread->nowhere;
    if (persistent->flags & MPILENS_OPERATION_MESSAGE_CLASSES) {
        channel = operation_channel(thread, persistent, persistent->peer);
        detail = (uint64_t)(uintptr_t)channel;
    }
    if (persistent->flags & MPILENS_OPERATION_COLLECTIVE)
        detail = collective_restart(thread, persistent);
    if (persistent->flags & MPILENS_OPERATION_PARTITIONED)
        partitioned_clear(persistent);
    return persistent_begin(thread, persistent, channel, detail);
}

void persistent_start(struct thread *thread, uint32_t function, uint64_t site, int count, const MPI_Request *requests)
{
    thread->published.polls = 0;
    call_begin_counting(thread, function, site, NULL);
    for (int i = 0; requests != NULL && i < count; i++) {
        struct mpilens_operation *persistent = request_find(thread, HANDLE_VALUE(requests[i]));
        if (persistent == NULL || persistent->state != MPILENS_OPERATION_PERSISTENT || persistent->started != 0)
            continue;
        struct mpilens_operation *operation = start_one(thread, persistent);
        if (operation != NULL)
            persistent_note_start(thread, persistent, operation);
    }
}

static void not_started(struct thread *thread, struct mpilens_operation *operation)
{
    struct mpilens_operation *persistent = request_find(thread, operation->request);
    if (persistent != NULL && persistent->state == MPILENS_OPERATION_PERSISTENT &&
        operation_at(persistent->started) == operation)
        __atomic_store_n(&persistent->started, 0, __ATOMIC_RELEASE);
    operation_failed(thread, operation);
}

/* Asks the library about a request that it may not have started: such a request has the empty status. For collectives
 * the answer means nothing; these count as started if the call failed under way. */
static bool is_active(const struct mpilens_operation *operation, int error)
{
    int flag = 1;
    MPI_Status status = {.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG};
    MPI_Request request = (MPI_Request)(uintptr_t)operation->request;
    if (operation->flags & MPILENS_OPERATION_COLLECTIVE)
        return !error_is_refusal(error);
    if (mpilens__asked.MPI_Request_get_status(request, &flag, &status) != MPI_SUCCESS)
        return true;
    return !flag || status.MPI_SOURCE != MPI_ANY_SOURCE || status.MPI_TAG != MPI_ANY_TAG;
}

void persistent_started(struct thread *thread, int error)
{
    struct mpilens_operation *operation = thread->scratch.starting;
    thread->scratch.starting = NULL;
    if (likely(error == MPI_SUCCESS) || operation == NULL)
        return;
    bool several = operation->next != 0; /* MPI_Startall may have failed part way */
    while (operation != NULL) {
        struct mpilens_operation *next = operation_at(operation->next);
        if (!several || !is_active(operation, error))
            not_started(thread, operation);
        operation = next;
    }
}

int persistent_not_started(struct thread *thread, int error)
{
    persistent_started(thread, error);
    call_end(thread);
    return error;
}

void persistent_abandon(struct thread *thread)
{
    struct mpilens_operation *operation = thread->scratch.starting;
    thread->scratch.starting = NULL;
    while (operation != NULL) {
        struct mpilens_operation *next = operation_at(operation->next);
        not_started(thread, operation);
        operation = next;
    }
}

void persistent_complete(struct thread *thread, struct mpilens_operation *persistent, const MPI_Status *status,
                         int error)
{
    struct mpilens_operation *started = operation_at(persistent->started);
    __atomic_store_n(&persistent->started, 0, __ATOMIC_RELEASE);
    if (started == NULL)
        return;
    if (unlikely(error != MPI_SUCCESS || (started->flags & PERSISTENT_NOT_SIMPLE)))
        operation_complete_alone(thread, started, status, error);
    else if (!(started->flags & MPILENS_OPERATION_RECEIVE) || operation_received(thread, started, NULL, status, error))
        operation_retire_anyones(thread, started);
}
