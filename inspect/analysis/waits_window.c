/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a call on a window waits for: fences and calls that make windows for all members, locks for those that hold
 * them, MPI_Win_start and MPI_Win_complete for exposure, MPI_Win_wait for the end of accesses (MPI 4.0, 12.5).
 */
#include "waits.h"

#include <string.h>

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

/* Whether the member keeps the process from going on with its call. */
typedef bool hinders_function(const struct process *other, const struct window *theirs, const struct process *self,
                              const struct thread *thread, const struct window *ours);

static bool lacks_fence(const struct process *other, const struct window *theirs, const struct process *self,
                        const struct thread *thread, const struct window *ours)
{
    (void)self;
    return theirs->synchronizations + process_is_in_call(other, thread->function) < ours->synchronizations + 1;
}

static bool holds_lock(const struct process *other, const struct window *theirs, const struct process *self,
                       const struct thread *thread, const struct window *ours)
{
    (void)other;
    (void)self;
    uint32_t wanted = thread->lock_type;
    for (size_t i = 0; wanted == 0 && i < ours->lock_count; i++)
        if (ours->locks[i].target_local == thread->peer_local)
            wanted = ours->locks[i].type;
    for (size_t i = 0; i < theirs->lock_count; i++) {
        const struct window_lock *lock = &theirs->locks[i];
        if ((lock->target_local == thread->peer_local || lock->target_local < 0) &&
            (lock->type == MPILENS_LOCK_EXCLUSIVE || wanted == MPILENS_LOCK_EXCLUSIVE))
            return true;
    }
    return false;
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

/* Connects with those of the group (NULL: of all members) that hinder. Returns their number. */
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

/* Members that have ended, or were not read, are in no list of members. */
static size_t connect_absent(struct waits *waits, uint32_t node, const struct communicator *communicator)
{
    size_t count = 0;
    for (int32_t i = 0; communicator->group != NULL && i < communicator->size; i++) {
        const int32_t rank = group_world_rank(communicator->group, i);
        const struct process *process = job_index_process(&waits->index, rank);
        if (process != NULL && find_communicator(process, communicator->id) != NULL)
            continue;
        waits_connect_rank(waits, node, rank);
        count++;
    }
    return count;
}

static bool wait_for_all_members(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread,
                                 const struct object *object)
{
    const struct communicator *communicator =
        find_communicator(&waits->job->processes[process], object->communicator_id);
    if (communicator == NULL)
        return false;
    bool is_new;
    const struct shared_key key = {.kind = SUBJECT_CALL,
                                   .id = object->window->id,
                                   .serial = object->window->synchronizations,
                                   .function = thread->function};
    const uint32_t shared = waits_share(
        waits, key, WAITS_FOR_ALL, (struct wait_subject){.kind = SUBJECT_CALL, .communicator = communicator}, &is_new);
    wait_graph_connect(&waits->graph, node, shared);
    if (is_new && connect_absent(waits, shared, communicator) +
                          connect_hindering(waits, shared, process, thread, object, NULL, lacks_fence) ==
                      0)
        wait_graph_connect(&waits->graph, shared, waits->anything);
    return true;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool waits_for_window(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    const struct process *self = &waits->job->processes[process];
    const struct object *object = find_window_object(self, thread);
    if (object == NULL) {
        const struct communicator *communicator = find_communicator(self, thread->communicator_id);
        return communicator != NULL && thread->call_class == MPILENS_CALL_WINDOW &&
               waits_for_members_in_call(waits, node, communicator, thread->function);
    }
    const struct window *window = object->window;
    const char *function = thread->function;
    if (begins_with(function, "MPI_Win_fence"))
        return wait_for_all_members(waits, node, process, thread, object);
    if (begins_with(function, "MPI_Win_free")) {
        const struct communicator *communicator = find_communicator(self, object->communicator_id);
        return communicator != NULL && waits_for_members_in_call(waits, node, communicator, function);
    }
    if (begins_with(function, "MPI_Win_start") || begins_with(function, "MPI_Win_complete"))
        return connect_hindering(waits, node, process, thread, object, window->access_group, has_not_posted) > 0;
    if (begins_with(function, "MPI_Win_wait") || begins_with(function, "MPI_Win_test")) {
        /* One that has completed its accesses looks like one that has not begun them: it takes all to be dead. */
        if (connect_hindering(waits, node, process, thread, object, window->exposure_group, has_not_completed) > 0)
            return true;
        waits->graph.nodes[node].mode = WAITS_FOR_ANY;
        for (int32_t i = 0; window->exposure_group != NULL && i < window->exposure_group->size; i++)
            waits_connect_rank(waits, node, group_world_rank(window->exposure_group, i));
        return window->exposure_group != NULL;
    }
    if (begins_with(function, "MPI_Win_lock") || begins_with(function, "MPI_Win_unlock") ||
        begins_with(function, "MPI_Win_flush"))
        return connect_hindering(waits, node, process, thread, object, NULL, holds_lock) > 0;
    return false;
}
