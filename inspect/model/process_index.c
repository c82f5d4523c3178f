/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks up records of a process by number.
 */
#include "model/model.h"

#include "base/base.h"

#include <stdbool.h>
#include <stdlib.h>

struct operation_place {
    const struct operation *operation;
    const struct communicator *communicator;
};

/* A process with so few of everything has no index: they are looked through. */
enum { FEW_COMMUNICATORS = 4, FEW_RECORDS = 16 };

/* Each sorted by what it is looked up by. */
struct process_index {
    struct operation_place *operations; /* sends and receives; NULL: there are few queues, each in this order itself */
    size_t operation_count;
    const struct communicator **communicators;
    const struct operation **requests;
    const struct object **objects;
};

static int compare_numbers(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare_places(const void *left, const void *right)
{
    return compare_numbers(((const struct operation_place *)left)->operation->serial,
                           ((const struct operation_place *)right)->operation->serial);
}

static int compare_communicators(const void *left, const void *right)
{
    return compare_numbers((*(const struct communicator *const *)left)->id,
                           (*(const struct communicator *const *)right)->id);
}

static int compare_requests(const void *left, const void *right)
{
    return compare_numbers((*(const struct operation *const *)left)->serial,
                           (*(const struct operation *const *)right)->serial);
}

static int compare_objects(const void *left_object, const void *right_object)
{
    const struct object *left = *(const struct object *const *)left_object;
    const struct object *right = *(const struct object *const *)right_object;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    return compare_numbers(left->serial, right->serial);
}

static size_t count_operations(const struct process *process)
{
    size_t count = 0;
    for (size_t i = 0; i < process->communicator_count; i++)
        count += process->communicators[i].sends.count + process->communicators[i].receives.count;
    return count;
}

static bool is_small(const struct process *process)
{
    return process->communicator_count <= FEW_COMMUNICATORS && process->request_count <= FEW_RECORDS &&
           process->object_count <= FEW_RECORDS && count_operations(process) <= FEW_RECORDS;
}

static bool is_in_order(const struct operations *operations)
{
    for (size_t i = 1; i < operations->count; i++)
        if (operations->items[i - 1].serial > operations->items[i].serial)
            return false;
    return true;
}

/* As of most processes: their queues are searched. */
static bool has_few_queues_in_order(const struct process *process)
{
    bool result = process->communicator_count <= FEW_COMMUNICATORS;
    for (size_t i = 0; i < process->communicator_count && result; i++)
        result = is_in_order(&process->communicators[i].sends) && is_in_order(&process->communicators[i].receives);
    return result;
}

static void add_operations(struct process_index *index, const struct communicator *communicator,
                           const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++)
        index->operations[index->operation_count++] = (struct operation_place){&operations->items[i], communicator};
}

typedef int compare_items(const void *left, const void *right);

/* Mostly they are in order already. */
static void sort(void *items, size_t count, size_t item_bytes, compare_items *compare)
{
    for (size_t i = 1; i < count; i++)
        if (compare((const char *)items + (i - 1) * item_bytes, (const char *)items + i * item_bytes) > 0) {
            qsort(items, count, item_bytes, compare);
            return;
        }
}

/* NULL: there are none, as of most kinds in most processes. */
static void *make_items(size_t count, size_t item_bytes)
{
    return count > 0 ? allocate(count * item_bytes) : NULL;
}

static const void *find(const void *key, const void *items, size_t count, size_t item_bytes, compare_items *compare)
{
    return count > 0 ? bsearch(key, items, count, item_bytes, compare) : NULL;
}

void process_make_index(struct process *process)
{
    process_clear_index(process);
    if (is_small(process))
        return;
    struct process_index *index = allocate(sizeof *index);
    const bool is_listed = !has_few_queues_in_order(process);
    if (is_listed)
        index->operations = make_items(count_operations(process), sizeof *index->operations);
    index->communicators = make_items(process->communicator_count, sizeof *index->communicators);
    for (size_t i = 0; i < process->communicator_count; i++) {
        index->communicators[i] = &process->communicators[i];
        if (is_listed)
            add_operations(index, &process->communicators[i], &process->communicators[i].sends);
        if (is_listed)
            add_operations(index, &process->communicators[i], &process->communicators[i].receives);
    }
    index->requests = make_items(process->request_count, sizeof *index->requests);
    for (size_t i = 0; i < process->request_count; i++)
        index->requests[i] = &process->requests[i];
    index->objects = make_items(process->object_count, sizeof *index->objects);
    for (size_t i = 0; i < process->object_count; i++)
        index->objects[i] = &process->objects[i];
    sort(index->operations, index->operation_count, sizeof *index->operations, compare_places);
    sort(index->communicators, process->communicator_count, sizeof *index->communicators, compare_communicators);
    sort(index->requests, process->request_count, sizeof *index->requests, compare_requests);
    sort(index->objects, process->object_count, sizeof *index->objects, compare_objects);
    process->index = index;
}

void process_clear_index(struct process *process)
{
    struct process_index *index = process->index;
    process->index = NULL;
    if (index == NULL)
        return;
    free(index->operations);
    free(index->communicators);
    free(index->requests);
    free(index->objects);
    free(index);
}

const struct communicator *find_communicator(const struct process *process, uint64_t id)
{
    const struct communicator wanted = {.id = id};
    const struct communicator *key = &wanted;
    if (process->index != NULL) {
        const struct communicator *const *found =
            find(&key, process->index->communicators, process->communicator_count, sizeof key, compare_communicators);
        return found != NULL ? *found : NULL;
    }
    for (size_t i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].id == id)
            return &process->communicators[i];
    return NULL;
}

static int compare_serials(const void *left, const void *right)
{
    return compare_numbers(((const struct operation *)left)->serial, ((const struct operation *)right)->serial);
}

static const struct operation *find_in(const struct operations *operations, uint64_t serial, bool in_order)
{
    const struct operation key = {.serial = serial};
    if (in_order)
        return find(&key, operations->items, operations->count, sizeof key, compare_serials);
    for (size_t i = 0; i < operations->count; i++)
        if (operations->items[i].serial == serial)
            return &operations->items[i];
    return NULL;
}

const struct operation *find_operation(const struct process *process, uint64_t serial,
                                       const struct communicator **ret_communicator)
{
    const bool in_order = process->index != NULL; /* of each queue */
    if (in_order && process->index->operations != NULL) {
        const struct operation key = {.serial = serial};
        const struct operation_place wanted = {.operation = &key};
        const struct operation_place *found =
            find(&wanted, process->index->operations, process->index->operation_count, sizeof wanted, compare_places);
        if (found == NULL)
            return NULL;
        *ret_communicator = found->communicator;
        return found->operation;
    }
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        const struct operation *found = find_in(&communicator->sends, serial, in_order);
        if (found == NULL)
            found = find_in(&communicator->receives, serial, in_order);
        if (found != NULL) {
            *ret_communicator = communicator;
            return found;
        }
    }
    return NULL;
}

const struct operation *find_request(const struct process *process, uint64_t serial)
{
    const struct operation wanted = {.serial = serial};
    const struct operation *key = &wanted;
    if (process->index != NULL) {
        const struct operation *const *found =
            find(&key, process->index->requests, process->request_count, sizeof key, compare_requests);
        return found != NULL ? *found : NULL;
    }
    for (size_t i = 0; i < process->request_count; i++)
        if (process->requests[i].serial == serial)
            return &process->requests[i];
    return NULL;
}

const struct freed_object *find_freed_object(const struct process *process, uint32_t kind, uint64_t id)
{
    for (size_t i = process->freed_object_count; i > 0; i--)
        if (process->freed_objects[i - 1].kind == kind && process->freed_objects[i - 1].id == id)
            return &process->freed_objects[i - 1];
    return NULL;
}

const struct object *find_object(const struct process *process, uint32_t kind, uint32_t serial)
{
    const struct object wanted = {.kind = kind, .serial = serial};
    const struct object *key = &wanted;
    if (process->index != NULL) {
        const struct object *const *found =
            find(&key, process->index->objects, process->object_count, sizeof key, compare_objects);
        return found != NULL ? *found : NULL;
    }
    for (size_t i = 0; i < process->object_count; i++)
        if (process->objects[i].kind == kind && process->objects[i].serial == serial)
            return &process->objects[i];
    return NULL;
}
