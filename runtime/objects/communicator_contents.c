/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records the groups, topology and hints of a communicator.
 */
#include "objects/objects_internal.h"

#include "memory/memory.h"
#include "mpi/functions.h"

#include <pthread.h>

void communicator_contents_note_sizes(struct mpilens_communicator *record)
{
    const struct mpilens_group *group = group_of_side(record, GROUP_LOCAL);
    const struct mpilens_group *remote = group_of_side(record, GROUP_REMOTE);
    record->size = group != NULL ? group->size : -1;
    record->rank = group != NULL ? group->rank : -1;
    record->remote_size = remote != NULL ? remote->size : 0;
}

/* Asks MPI for the groups and the topology of a communicator that can be asked. */
static void ask(struct mpilens_communicator *record, bool reordered)
{
    MPI_Comm handle = (MPI_Comm)(uintptr_t)record->handle;
    int inter = 0;
    MPI_Group group;
    mpilens__asked.MPI_Comm_test_inter(handle, &inter);
    if (inter && mpilens__asked.MPI_Comm_remote_group(handle, &group) == MPI_SUCCESS) {
        __atomic_fetch_or(&record->flags, MPILENS_COMMUNICATOR_INTER, __ATOMIC_RELAXED);
        record->remote_group = (uint64_t)(uintptr_t)group_of_handle(group);
        mpilens__asked.MPI_Group_free(&group);
    }
    if (mpilens__asked.MPI_Comm_group(handle, &group) == MPI_SUCCESS) {
        record->group = (uint64_t)(uintptr_t)group_of_handle(group);
        mpilens__asked.MPI_Group_free(&group);
    }
    if (!inter)
        topology_ask(record->topology, handle, reordered);
}

bool communicator_is_duplicate(const struct communicator_derivation *derivation, bool pending)
{
    return pending || derivation->function == FUNCTION_MPI_Comm_dup ||
           derivation->function == FUNCTION_MPI_Comm_dup_with_info;
}

/* Sets groups and topology of a new communicator; a duplicate shares its parent's. */
static void set_groups(struct mpilens_communicator *record, const struct communicator_derivation *derivation,
                       bool pending)
{
    const struct mpilens_communicator *parent = derivation->parent;
    if (parent != NULL && parent->group && communicator_is_duplicate(derivation, pending)) {
        record->flags |= parent->flags & MPILENS_COMMUNICATOR_INTER;
        record->group = (uint64_t)(uintptr_t)group_retain(group_of_side(parent, GROUP_LOCAL));
        record->remote_group = (uint64_t)(uintptr_t)group_retain(group_of_side(parent, GROUP_REMOTE));
        topology_copy(record->topology, parent->topology);
        return;
    }
    if (!pending) /* else nothing may be asked of it yet */
        ask(record, derivation->reordered);
}

void communicator_contents_set(struct mpilens_communicator *record, const struct communicator_derivation *derivation,
                               bool pending)
{
    set_groups(record, derivation, pending);
    group_set_session(group_of_side(record, GROUP_LOCAL), record->session);
    group_set_session(group_of_side(record, GROUP_REMOTE), record->session);
    info_give_hints(derivation->info, record->hints, &record->info);
}

/* One whose parent is not known was pending when it was made, and has completed since. */
void communicator_contents_learn_late(struct mpilens_communicator *record)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct mpilens_communicator found = {.handle = record->handle};
    ask(&found, false);
    pthread_mutex_lock(&mutex);
    bool first = record->group == 0 && found.group != 0;
    if (first) {
        topology_copy(record->topology, found.topology);
        record->remote_group = found.remote_group;
        group_set_session(group_of_side(&found, GROUP_LOCAL), record->session);
        group_set_session(group_of_side(&found, GROUP_REMOTE), record->session);
        __atomic_store_n(&record->group, found.group, __ATOMIC_RELEASE);
        communicator_contents_note_sizes(record);
        __atomic_fetch_or(&record->flags, found.flags, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&mutex);
    if (!first)
        group_release_sides(&found);
    topology_give_back(found.topology);
}

void communicator_contents_give_back(void *given)
{
    struct mpilens_communicator *record = given;
    group_release_sides(record);
    session_release(record->session);
    record->session = 0;
    texts_give_back(record->hints);
    topology_give_back(record->topology);
    if (record->marks != 0)
        block_give_back((void *)(uintptr_t)record->marks, MPILENS_MARK_COUNT * sizeof(struct mpilens_collective_mark));
    record->marks = 0;
    if (record->arguments != 0)
        collective_arguments_give_back(&record->arguments);
    if (record->count_copies != 0)
        count_copies_give_back(record);
}
