/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Searches the request tables of all threads.
 */

#include "thread/thread_internal.h"

enum { TAKE_ATTEMPTS = 8 };

/* The table that is searched first for a request that `thread` has not started, or NULL. */
static struct thread *likely_owner(const struct thread *thread, uint64_t handle)
{
    if (!thread->requests.shared)
        return NULL;
    struct thread *owner = request_is_complete_by_nature(handle) ? thread->served : request_owner(handle);
    return owner != thread ? owner : NULL;
}

static struct mpilens_operation *find_elsewhere(struct thread *thread, uint64_t handle, uint64_t latest)
{
    struct mpilens_operation *best = NULL;
    uint64_t best_posted_time = 0;
    bool oldest = request_is_complete_by_nature(handle);
    for (struct thread *other = __atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE); other != NULL;
         other = other->next) {
        if (other == thread || !request_table_visit(thread, other))
            continue;
        uint64_t posted_time;
        struct mpilens_operation *operation = request_table_find_slowly(&other->requests, handle, latest, &posted_time);
        if (operation != NULL && (best == NULL || (posted_time < best_posted_time) == oldest)) {
            best = operation;
            best_posted_time = posted_time;
        }
    }
    return best;
}

struct mpilens_operation *request_find_anywhere(struct thread *thread, uint64_t handle, uint64_t latest)
{
    struct mpilens_operation *operation = request_table_find_slowly(&thread->requests, handle, latest, NULL);
    struct thread *owner = operation != NULL ? NULL : likely_owner(thread, handle);
    if (owner != NULL && request_table_visit(thread, owner))
        operation = request_table_find_slowly(&owner->requests, handle, latest, NULL);
    return operation != NULL ? operation : find_elsewhere(thread, handle, latest);
}

struct mpilens_operation *request_find_slowly(struct thread *thread, uint64_t request)
{
    if (request == HANDLE_VALUE(MPI_REQUEST_NULL))
        return NULL;
    return request_find_anywhere(thread, request, UINT64_MAX);
}

static struct mpilens_operation *take_elsewhere(struct thread *thread, uint64_t handle)
{
    for (struct thread *other = __atomic_load_n(&mpilens__threads, __ATOMIC_ACQUIRE); other != NULL;
         other = other->next) {
        struct mpilens_operation *operation = other == thread || !request_table_visit(thread, other)
                                                  ? NULL
                                                  : request_table_take_slowly(&other->requests, handle);
        if (operation != NULL) {
            thread->served = other;
            return operation;
        }
    }
    return NULL;
}

struct mpilens_operation *request_take_anywhere(struct thread *thread, uint64_t handle)
{
    struct mpilens_operation *operation = request_table_take_slowly(&thread->requests, handle);
    struct thread *owner = operation != NULL ? NULL : likely_owner(thread, handle);
    if (owner != NULL && request_table_visit(thread, owner))
        operation = request_table_take_slowly(&owner->requests, handle);
    /* While the tables are looked through one by one, others take from one that is still to come and add to one that
     * has been. */
    for (int attempt = 0; attempt < TAKE_ATTEMPTS && operation == NULL; attempt++)
        operation = take_elsewhere(thread, handle);
    return operation;
}

bool request_remove_anywhere(struct thread *thread, uint64_t handle, struct mpilens_operation *operation)
{
    uint32_t index = __atomic_load_n(&operation->thread, __ATOMIC_RELAXED);
    struct thread *owner = index == thread->published.index ? thread : thread_at(index);
    return owner != NULL && (owner == thread || request_table_visit(thread, owner)) &&
           request_table_remove_slowly(&owner->requests, handle, operation);
}
