/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the processes of a job and the members of its communicators, windows and files.
 */
#include "analysis/calls/calls.h"

#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>

static int compare_members(const void *left_member, const void *right_member)
{
    const struct job_member *left = left_member;
    const struct job_member *right = right_member;
    if (left->communicator->id != right->communicator->id)
        return left->communicator->id < right->communicator->id ? -1 : 1;
    return left->process->rank < right->process->rank ? -1 : left->process->rank > right->process->rank;
}

uint64_t shared_object_id(const struct object *object)
{
    return object->window != NULL ? object->window->id : object->file != NULL ? object->file->id : 0;
}

static int compare_objects(const struct object *left, const struct object *right)
{
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    const uint64_t left_id = shared_object_id(left), right_id = shared_object_id(right);
    return left_id < right_id ? -1 : left_id > right_id;
}

static int compare_object_members(const void *left_member, const void *right_member)
{
    const struct job_member *left = left_member;
    const struct job_member *right = right_member;
    const int order = compare_objects(left->object, right->object);
    if (order != 0)
        return order;
    return left->process->rank < right->process->rank ? -1 : left->process->rank > right->process->rank;
}

static void add_object_members(struct job_index *index)
{
    for (size_t i = 0; i < index->job->process_count; i++) {
        const struct process *process = &index->job->processes[i];
        for (size_t j = 0; j < process->object_count; j++) {
            const struct object *object = &process->objects[j];
            if (shared_object_id(object) == 0)
                continue;
            index->object_members =
                arena_append(index->object_members, &index->object_member_count, sizeof *index->object_members);
            index->object_members[index->object_member_count - 1] =
                (struct job_member){process, find_communicator(process, object->communicator_id), object};
        }
    }
    if (index->object_member_count > 1)
        qsort(index->object_members, index->object_member_count, sizeof *index->object_members, compare_object_members);
}

struct job_index job_index_create(const struct job *job)
{
    struct job_index index = {.job = job};
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++)
        count += job->processes[i].communicator_count;
    index.members = arena_allocate((count + 1) * sizeof *index.members);
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++)
            index.members[index.member_count++] =
                (struct job_member){&job->processes[i], &job->processes[i].communicators[j], NULL};
    if (count > 1)
        qsort(index.members, count, sizeof *index.members, compare_members);
    add_object_members(&index);
    return index;
}

uint32_t job_index_find_rank(const struct job_index *index, int rank)
{
    const struct process *process = job_index_process(index, rank);
    return process != NULL ? (uint32_t)(process - index->job->processes) : NO_PROCESS;
}

const struct process *job_index_process(const struct job_index *index, int rank)
{
    return rank >= 0 ? find_process(index->job, rank) : NULL;
}

/* The first member of a communicator with this or a greater id. */
static size_t first_of(const struct job_index *index, uint64_t id)
{
    size_t low = 0, high = index->member_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (index->members[middle].communicator->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct job_members job_index_members(const struct job_index *index, uint64_t communicator_id)
{
    const size_t first = first_of(index, communicator_id);
    const size_t end = communicator_id < UINT64_MAX ? first_of(index, communicator_id + 1) : index->member_count;
    return (struct job_members){index->members + first, end - first};
}

/* How many members of windows and files are less than (or, `equal`, the same as) the object. */
static size_t count_before(const struct job_index *index, const struct object *object, bool equal)
{
    size_t low = 0, high = index->object_member_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_objects(index->object_members[middle].object, object) < equal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct job_members job_index_object_members(const struct job_index *index, const struct object *object)
{
    const size_t first = count_before(index, object, false);
    return (struct job_members){index->object_members + first, count_before(index, object, true) - first};
}

static int compare_member(const void *wanted_rank, const void *one_member)
{
    const int wanted = *(const int *)wanted_rank;
    const int rank = ((const struct job_member *)one_member)->process->rank;
    return wanted < rank ? -1 : wanted > rank;
}

const struct job_member *job_members_find(const struct job_members *members, int rank)
{
    return members->count > 0 ? bsearch(&rank, members->items, members->count, sizeof *members->items, compare_member)
                              : NULL;
}
