/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The waits of noncollective calls on a window: locks for their holders, MPI_Win_start and MPI_Win_complete for
 * exposure, MPI_Win_wait for the end of accesses (MPI 4.0, 12.5).
 */
#include "analysis/graph/graph.h"

#include "analysis/calls/calls.h"
#include "model/model.h"

static const struct object *find_window_object(const struct process *process, const struct thread *thread)
{
    const struct object *object = find_object(process, thread->object_kind, thread->object_serial);
    return object != NULL && object->window != NULL ? object : NULL;
}

/* The window of another process that is the same as this one; NULL: none. */
static const struct window *find_same_window(const struct process *process, uint64_t id)
{
    for (size_t i = 0; i < process->object_count; i++) {
        const struct window *window = process->objects[i].window;
        if (window != NULL && window->id == id)
            return window;
    }
    return NULL;
}

static bool takes_lock(const struct thread *thread)
{
    return thread->purpose == MPILENS_PURPOSE_WINDOW_LOCK || thread->purpose == MPILENS_PURPOSE_WINDOW_LOCK_ALL;
}

bool is_lock_call(const struct thread *thread)
{
    return takes_lock(thread) || thread->purpose == MPILENS_PURPOSE_WINDOW_UNLOCK ||
           thread->purpose == MPILENS_PURPOSE_WINDOW_FLUSH;
}

bool is_access_call(const struct thread *thread)
{
    return is_lock_call(thread) || thread->call_class == MPILENS_CALL_ONE_SIDED;
}

/* Whether the member keeps the process from going on with its call. */
typedef bool hinders_function(const struct process *other, const struct window *theirs, const struct process *self,
                              const struct thread *thread, const struct window *ours);

static bool is_exclusive(const struct window_lock *lock)
{
    return lock->type == MPILENS_LOCK_EXCLUSIVE;
}

/* Targets below 0 are all targets. */
static bool exclude_each_other(const struct window_lock *left, const struct window_lock *right)
{
    return (left->target_local < 0 || right->target_local < 0 || left->target_local == right->target_local) &&
           (is_exclusive(left) || is_exclusive(right));
}

/* That of MPI_Win_lock_all, which stands in no list. */
static const struct window_lock lock_of_all = {.target_local = -1, .type = MPILENS_LOCK_SHARED, .age_s = -1};

/* The lock that the thread's call needs on others' memory: requested by MPI_Win_lock, or held before for MPI_Win_flush
 * or MPI_Win_unlock. True: `lock` of another process excludes it. */
static bool needs_lock(const struct window_lock *lock, const struct thread *thread, const struct window *ours)
{
    const bool locks = takes_lock(thread);
    const struct window_lock asked = {.target_local = thread->peer_local, .type = thread->lock_type};
    if (locks && thread->lock_type != 0)
        return exclude_each_other(&asked, lock);
    if (locks || ours->access_epoch == MPILENS_EPOCH_LOCK_ALL)
        return exclude_each_other(&lock_of_all, lock) &&
               (thread->peer_local < 0 || lock->target_local < 0 || thread->peer_local == lock->target_local);
    for (size_t i = 0; i < ours->lock_count; i++)
        if ((thread->peer_local < 0 || ours->locks[i].target_local == thread->peer_local) &&
            exclude_each_other(&ours->locks[i], lock))
            return true;
    return false;
}

/* A lock may be noted before it is granted, as MPI_Win_lock need not wait (MPI 4.0, 12.5.3). A process in a call about
 * it may itself be waiting for it. */
static bool may_wait_for(const struct process *other, uint64_t window, const struct window_lock *lock)
{
    for (size_t i = 0; i < other->thread_count; i++) {
        const struct thread *thread = &other->threads[i];
        if (thread->ended || !is_lock_call(thread) ||
            (thread->peer_local >= 0 && lock->target_local >= 0 && thread->peer_local != lock->target_local))
            continue;
        const struct object *object = find_window_object(other, thread);
        if (object != NULL && object->window->id == window)
            return true;
    }
    return false;
}

/* The lock of `other` that the call of the thread on `ours` must wait for. */
static const struct window_lock *find_lock(const struct process *other, const struct window *theirs,
                                           const struct thread *thread, const struct window *ours)
{
    if (theirs->access_epoch == MPILENS_EPOCH_LOCK_ALL && needs_lock(&lock_of_all, thread, ours) &&
        !may_wait_for(other, ours->id, &lock_of_all))
        return &lock_of_all;
    for (size_t i = 0; i < theirs->lock_count; i++)
        if (needs_lock(&theirs->locks[i], thread, ours) && !may_wait_for(other, ours->id, &theirs->locks[i]))
            return &theirs->locks[i];
    return NULL;
}

static bool holds_lock(const struct process *other, const struct window *theirs, const struct process *self,
                       const struct thread *thread, const struct window *ours)
{
    (void)self;
    return find_lock(other, theirs, thread, ours) != NULL;
}

const struct window_lock *find_hindering_lock(const struct process *process, const struct thread *thread,
                                              const struct process *other)
{
    const struct object *object = find_window_object(process, thread);
    const struct window *theirs =
        object != NULL && is_lock_call(thread) ? find_same_window(other, object->window->id) : NULL;
    return theirs != NULL ? find_lock(other, theirs, thread, object->window) : NULL;
}

static bool has_not_posted(const struct process *other, const struct window *theirs, const struct process *self,
                           const struct thread *thread, const struct window *ours)
{
    (void)other;
    (void)thread;
    (void)ours;
    return theirs->exposure_epoch != MPILENS_EPOCH_GROUP || group_local_rank(theirs->exposure_group, self->rank) < 0;
}

static bool has_not_completed(const struct process *other, const struct window *theirs, const struct process *self,
                              const struct thread *thread, const struct window *ours)
{
    (void)other;
    (void)thread;
    (void)ours;
    return theirs->access_epoch == MPILENS_EPOCH_GROUP && group_local_rank(theirs->access_group, self->rank) >= 0;
}

/* Whether the call is about memory of that member. */
static bool is_target(const struct process *other, const struct thread *thread, const struct window *ours)
{
    const struct communicator *members = find_communicator(other, thread->communicator_id);
    const int32_t target = members != NULL ? members->rank : -1;
    if (thread->peer_local >= 0)
        return thread->peer_world == other->rank || thread->peer_local == target;
    bool is_one = ours->access_epoch == MPILENS_EPOCH_LOCK_ALL || ours->lock_count == 0;
    for (size_t i = 0; i < ours->lock_count; i++)
        is_one = is_one || (target >= 0 && ours->locks[i].target_local == target);
    return is_one;
}

/* A target that computes, whose library may have to act (MPI 4.0, 12.7.3). */
static bool is_outside(const struct process *other, const struct window *theirs, const struct process *self,
                       const struct thread *thread, const struct window *ours)
{
    (void)theirs;
    (void)self;
    return is_target(other, thread, ours) && process_is_outside_mpi(other);
}

/* Connects the node with the hindering processes of the group (NULL: of all members). Returns their number. */
static size_t connect_hindering(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread,
                                const struct object *object, const struct group *group, hinders_function *hinders)
{
    const struct process *self = &waits->job->processes[process];
    const struct job_members members = job_index_members(&waits->index, object->communicator_id);
    size_t count = 0;
    for (size_t i = 0; i < members.count; i++) {
        const struct process *other = members.items[i].process;
        if (other == self || (group != NULL && group_local_rank(group, other->rank) < 0))
            continue;
        const struct window *theirs = find_same_window(other, object->window->id);
        if (theirs == NULL || !hinders(other, theirs, self, thread, object->window))
            continue;
        waits_connect_rank(waits, node, other->rank);
        count++;
    }
    return count;
}

bool waits_for_window(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    const struct process *self = &waits->job->processes[process];
    const struct object *object = find_window_object(self, thread);
    if (object == NULL)
        return false;
    const struct window *window = object->window;
    switch (thread->purpose) {
    case MPILENS_PURPOSE_WINDOW_START:
    case MPILENS_PURPOSE_WINDOW_COMPLETE:
        return connect_hindering(waits, node, process, thread, object, window->access_group, has_not_posted) > 0;
    case MPILENS_PURPOSE_WINDOW_WAIT:
        /* One that has completed its accesses looks like one that has not begun them: it takes all to be dead. */
        if (connect_hindering(waits, node, process, thread, object, window->exposure_group, has_not_completed) > 0)
            return true;
        waits->graph.nodes[node].mode = WAITS_FOR_ANY;
        if (window->exposure_group != NULL)
            waits_connect_group(waits, node, window->exposure_group);
        return window->exposure_group != NULL;
    default:
        return (is_lock_call(thread) &&
                connect_hindering(waits, node, process, thread, object, NULL, holds_lock) > 0) ||
               (is_access_call(thread) &&
                connect_hindering(waits, node, process, thread, object, NULL, is_outside) > 0);
    }
}

bool window_epoch_is_met(const struct waits *waits, uint32_t process, const struct thread *thread, struct ranks *ranks)
{
    const struct process *self = &waits->job->processes[process];
    const struct object *object = find_window_object(self, thread);
    const struct group *group = object != NULL ? object->window->access_group : NULL;
    if (group == NULL || group->size < 1 ||
        (thread->purpose != MPILENS_PURPOSE_WINDOW_START && thread->purpose != MPILENS_PURPOSE_WINDOW_COMPLETE))
        return false;
    const struct job_members members = job_index_members(&waits->index, object->communicator_id);
    struct ranks met = {0};
    for (size_t i = 0; i < members.count; i++) {
        const struct process *other = members.items[i].process;
        const struct window *theirs =
            group_local_rank(group, other->rank) >= 0 ? find_same_window(other, object->window->id) : NULL;
        if (theirs != NULL && !has_not_posted(other, theirs, self, thread, object->window))
            ranks_add(&met, other->rank);
    }
    const bool is_met = met.count == (size_t)group->size;
    if (is_met)
        ranks_add_all(ranks, &met);
    return is_met;
}

bool window_find_targets(const struct waits *waits, uint32_t process, const struct thread *thread, struct ranks *ranks)
{
    const struct process *self = &waits->job->processes[process];
    const struct object *object = find_window_object(self, thread);
    if (object == NULL || object->window->id == 0 || !is_access_call(thread))
        return false;
    const struct job_members members = job_index_members(&waits->index, object->communicator_id);
    size_t count = 0;
    for (size_t i = 0; i < members.count; i++) {
        if (!is_target(members.items[i].process, thread, object->window))
            continue;
        if (members.items[i].process != self)
            ranks_add(ranks, members.items[i].process->rank);
        count++;
    }
    return count > 0;
}
