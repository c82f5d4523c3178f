/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Request tables against a model: a list of (handle, operation) in the order of insertion. While no other thread may
 * come, a handle of a single request that is inserted again throws out what it named before.
 */
#include "shadow.h"
#include "thread/thread_internal.h"

#include <criterion/criterion.h>

#include <string.h>

enum { OPERATIONS = 2000 };

/* Handles as MPIs make them, small numbers or addresses: of one request at a time, and of many. */
#ifdef MPICH_VERSION
static uint64_t own_handle(uint64_t n)
{
    return 0x80000000u + n;
}

static uint64_t common_handle(uint64_t n)
{
    return 0x6c000000u + n % 5;
}
#else
static uint64_t own_handle(uint64_t n)
{
    return UINT64_C(0x5500001000) + n * 0x40;
}

static uint64_t common_handle(uint64_t n)
{
    (void)n; /* there is one */
    return mpilens__preallocated_requests[0] = UINT64_C(0x7f0000000040);
}
#endif

static struct request_table table;
static struct mpilens_operation operations[OPERATIONS];

static struct {
    uint64_t handle;
    struct mpilens_operation *operation;
} model[OPERATIONS];
static size_t model_count;

/* The oldest of a handle that many share, the newest of others. */
static struct mpilens_operation *model_find(uint64_t handle)
{
    struct mpilens_operation *found = NULL;
    for (size_t i = 0; i < model_count && !(found != NULL && request_is_complete_by_nature(handle)); i++)
        if (model[i].handle == handle)
            found = model[i].operation;
    return found;
}

/* Operations that an insertion throws out go back to `unused`. */
static struct mpilens_operation *unused[OPERATIONS];
static size_t unused_count;

static void insert(uint64_t handle, struct mpilens_operation *operation)
{
    size_t stale_count = unused_count;
    for (size_t i = 0; !table.shared && !request_is_complete_by_nature(handle) && i < model_count;)
        if (model[i].handle == handle) {
            unused[unused_count++] = model[i].operation;
            memmove(&model[i], &model[i + 1], (--model_count - i) * sizeof model[0]);
        } else
            i++;
    operation->request = handle;
    operation->flags = 0;
    const bool simple = request_table_insert_own(&table, handle, operation) ||
                        (request_is_complete_by_nature(handle) && request_table_append_own(&table, handle, operation));
    const struct mpilens_operation *stale = simple ? NULL : request_table_insert_slowly(&table, handle, operation);
    for (; stale_count < unused_count; stale_count++) {
        cr_assert_eq(stale, unused[stale_count]);
        stale = (const struct mpilens_operation *)(uintptr_t)stale->next;
    }
    cr_assert_null(stale);
    model[model_count].handle = handle;
    model[model_count++].operation = operation;
}

/* As the wrappers look: the quick way first. */
static struct mpilens_operation *find(uint64_t handle)
{
    struct mpilens_operation *operation = request_table_find_own(&table, handle);
    return operation != NULL ? operation : request_table_find_slowly(&table, handle, UINT64_MAX, NULL);
}

static void remove_at(size_t place)
{
    struct mpilens_operation *operation = model[place].operation;
    uint64_t handle = model[place].handle;
    bool simple =
        operation->flags & MPILENS_OPERATION_SHARES_REQUEST
            ? request_is_complete_by_nature(handle) && request_table_remove_oldest_own(&table, handle, operation)
            : request_table_remove_own(&table, handle, operation);
    if (!simple)
        cr_assert(request_table_remove_slowly(&table, handle, operation));
    cr_assert_not(request_table_remove_slowly(&table, handle, operation), "it was there twice");
    memmove(&model[place], &model[place + 1], (--model_count - place) * sizeof model[0]);
}

/* `handle_of` gives the handle for a random number. */
static void play(uint64_t (*handle_of)(uint64_t random), bool shared)
{
    for (size_t i = 0; i < OPERATIONS; i++)
        unused[unused_count++] = &operations[i];
    cr_assert(request_table_create(&table, shared));
    uint64_t random = 99;
    for (int step = 0; step < 40000; step++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        bool growing = step / 5000 % 2 == 0;
        uint64_t handle = handle_of(random >> 33);
        if (unused_count > 0 && ((random >> 60) < (growing ? 12 : 4) || model_count == 0))
            insert(handle, unused[--unused_count]);
        else if (model_count > 0) {
            size_t place = (random >> 33) % model_count;
            if (step % 2) /* the oldest of its handle, as completions do */
                for (size_t i = 0; i <= place; i++)
                    if (model[i].handle == model[place].handle) {
                        place = i;
                        break;
                    }
            unused[unused_count++] = model[place].operation;
            remove_at(place);
        }
        cr_assert_eq(find(handle), model_find(handle), "step %d", step);
        if (step == 20000)
            cr_assert(request_table_reserve(&table, 5000), "grows with all that is in it");
    }
    while (model_count > 0) {
        uint64_t handle = model[model_count - 1].handle;
        cr_assert_eq(find(handle), model_find(handle));
        remove_at(model_count - 1);
    }
    for (uint64_t i = 0; i <= table.mask; i++)
        cr_assert_eq(table.buckets[i], &mpilens__no_operation, "something is left in bucket %lu", (unsigned long)i);
    request_table_destroy(&table);
}

static uint64_t few_handles(uint64_t random)
{
    return common_handle(random);
}

static uint64_t many_handles(uint64_t random)
{
    return own_handle(random % 1500);
}

static uint64_t colliding_handles(uint64_t random)
{
    return own_handle((random % 50) << 16); /* small numbers: all in one bucket */
}

static uint64_t mixed_handles(uint64_t random)
{
    return random % 3 == 0 ? common_handle(1) : own_handle(1 + ((random % 20) << 16));
}

Test(request_table, behaves_like_a_list_with_many_operations_under_few_handles)
{
    play(few_handles, false);
}

Test(request_table, behaves_like_a_list_with_a_handle_for_each_operation)
{
    play(many_handles, false);
}

Test(request_table, behaves_like_a_list_with_handles_that_collide)
{
    play(colliding_handles, false);
}

Test(request_table, behaves_like_a_list_with_shared_and_other_handles)
{
    play(mixed_handles, false);
}

Test(request_table, behaves_like_a_list_when_other_threads_may_come)
{
    play(mixed_handles, true);
}

Test(request_table, can_become_shared_and_not_shared_with_operations_in_it)
{
    cr_assert(request_table_create(&table, false));
    for (size_t i = 0; i < 100; i++)
        insert(i % 2 ? common_handle(1) : own_handle(i), &operations[i]);
    request_table_set_shared(&table, true);
    cr_assert_null(request_table_find_own(&table, own_handle(0)), "the quick way is closed");
    for (size_t i = 100; i < 200; i++)
        insert(own_handle(1000 + i / 2), &operations[i]);
    request_table_set_shared(&table, false);
    cr_assert_eq(find(common_handle(1)), &operations[1]);
    for (uint64_t i = 0; i < 50; i++) {
        cr_assert_eq(find(own_handle(2 * i)), &operations[2 * i]);
        cr_assert_eq(find(own_handle(1050 + i)), &operations[100 + 2 * i]);
    }
    while (model_count > 0)
        remove_at(0);
}

Test(request_table, marks_operations_that_share_a_handle)
{
    cr_assert(request_table_create(&table, false));
    insert(common_handle(1), &operations[0]);
    cr_assert_eq(operations[0].flags, 0);
    insert(own_handle(1), &operations[1]);
    insert(common_handle(1), &operations[2]);
    cr_assert_eq(operations[0].flags, MPILENS_OPERATION_SHARES_REQUEST);
    cr_assert_eq(operations[1].flags, 0);
    cr_assert_eq(operations[2].flags, MPILENS_OPERATION_SHARES_REQUEST);
}

Test(request_table, has_a_bucket_for_every_operation_that_room_was_made_for)
{
    cr_assert(request_table_create(&table, false));
    cr_assert(request_table_reserve(&table, 100000));
    cr_assert_geq(table.mask + 1, 100000);
    mpilens_process.memory_limit = 1;
    cr_assert_not(request_table_reserve(&table, 1000000));
    cr_assert(request_table_reserve(&table, 100000));
}

Test(request_table, does_not_take_an_operation_of_another_handle_for_its_own)
{
    cr_assert(request_table_create(&table, false));
    insert(own_handle(1), &operations[0]);
    cr_assert_not(request_table_remove_slowly(&table, own_handle(2), &operations[0]));
    cr_assert_not(request_table_remove_slowly(&table, own_handle(1), &operations[1]));
    cr_assert_eq(find(own_handle(1)), &operations[0]);
    cr_assert_null(find(own_handle(2)));
}

Test(request_table, finds_nothing_under_the_handle_zero)
{
    cr_assert(request_table_create(&table, false));
    cr_assert_null(find(0));
    request_table_set_shared(&table, true);
    cr_assert_null(find(0));
}
