/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The common part of all kinds of objects, tested without a kind of its own.
 */
#include "inside.h"
#include "memory/memory.h"
#include "objects/objects.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdlib.h>

enum { HANDLE = 0x5c000001, FUNCTION = 3, SITE = 0x4711, ROUNDS = 20000 };

static unsigned given_back;

static void count_given_back(void *record)
{
    (void)record;
    given_back++;
}

static struct object_kind infos = OBJECT_KIND(MPILENS_TABLE_INFOS, count_given_back);
static struct object_kind shared = OBJECT_KIND(MPILENS_TABLE_ERRHANDLERS, count_given_back);

static struct mpilens_object *make(struct object_kind *kind, uint64_t handle, uint32_t flags)
{
    struct mpilens_object *object = object_take(kind, handle, FUNCTION, SITE, flags);
    cr_assert_not_null(object);
    cr_assert(object_publish(kind, object));
    return object;
}

Test(object, is_named_by_its_handle_until_it_is_freed)
{
    struct mpilens_object *object = object_take(&infos, HANDLE, FUNCTION, SITE, 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_INFOS, 0), 0, "nobody sees it before it is published");
    cr_assert_null(object_find(&infos, HANDLE));
    cr_assert(object_publish(&infos, object));
    cr_assert_eq(object_find(&infos, HANDLE), object);
    cr_assert_eq(object->handle, HANDLE);
    cr_assert_eq(object->function, FUNCTION);
    cr_assert_eq(object->site, SITE);
    cr_assert_eq(object->references, 1);
    cr_assert_eq(object->serial, 1);
    object_released(&infos, object, HANDLE, 0, 0);
    cr_assert_null(object_find(&infos, HANDLE));
    cr_assert_eq(object->state, MPILENS_OBJECT_FREED, "what a stale handle was can still be told");
    cr_assert_eq(object->handle, HANDLE);
    object_released(&infos, object, HANDLE, 0, 0);
    cr_assert_eq(object->references, 0, "freed once more than it was given");
    cr_assert_eq(shadow_count(MPILENS_TABLE_INFOS, 0), 1);
}

Test(object, is_freed_as_often_as_it_was_given)
{
    struct mpilens_object *object = make(&infos, HANDLE, 0);
    cr_assert_eq(object_reference(&infos, HANDLE), object);
    cr_assert_eq(object->references, 2);
    object_released(&infos, object, HANDLE, 0, 0);
    cr_assert_eq(object_find(&infos, HANDLE), object);
    object_released(&infos, object, HANDLE, 0, 0);
    cr_assert_eq(object->state, MPILENS_OBJECT_FREED);
    cr_assert_null(object_reference(&infos, HANDLE));
}

Test(object, that_is_freed_stays_while_it_is_used)
{
    struct mpilens_object *object = make(&infos, HANDLE, 0);
    cr_assert_eq(object_use(object), object);
    object_released(&infos, object, HANDLE, 0, 0);
    for (uint64_t i = 1; i <= 3 * OBJECTS_KEPT; i++)
        object_released(&infos, make(&infos, HANDLE + i, 0), HANDLE + i, 0, 0);
    cr_assert_eq(object->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(object->handle, HANDLE);
    object_unuse(&infos, object);
    cr_assert_eq(object->handle, HANDLE, "and a while longer");
    for (uint64_t i = 1; i <= OBJECTS_KEPT; i++)
        object_released(&infos, make(&infos, HANDLE + i, 0), HANDLE + i, 0, 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_INFOS, 0), OBJECTS_KEPT);
    cr_assert_eq(given_back, 3 * OBJECTS_KEPT + 1);
}

Test(object, whose_handle_names_a_new_one_was_freed_unseen)
{
    struct mpilens_object *stale = make(&infos, HANDLE, 0);
    object_reference(&infos, HANDLE);
    struct mpilens_object *object = make(&infos, HANDLE, 0);
    cr_assert_eq(stale->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(object_find(&infos, HANDLE), object);
    object_released(&infos, stale, HANDLE, 0, 0); /* another thread comes late with its free */
    cr_assert_eq(object_find(&infos, HANDLE), object);
    cr_assert_eq(object->state, MPILENS_OBJECT_LIVE);
    object_released(&infos, object, HANDLE, 0, 0);
    cr_assert_null(object_find(&infos, HANDLE));
}

Test(object, that_is_predefined_stays)
{
    struct mpilens_object *object = make(&infos, HANDLE, MPILENS_OBJECT_PREDEFINED);
    cr_assert_eq(object->references, 0);
    object_reference(&infos, HANDLE);
    object_use(object);
    object_unuse(&infos, object);
    for (int i = 0; i < 3; i++)
        object_released(&infos, object, HANDLE, 0, 0);
    cr_assert_eq(object_find(&infos, HANDLE), object);
    cr_assert_eq(object->state, MPILENS_OBJECT_LIVE);
}

Test(object, may_be_none)
{
    object_released(&infos, NULL, HANDLE, 0, 0);
    cr_assert_null(object_use(NULL));
    cr_assert_null(object_use_named(&infos, HANDLE));
    object_unuse(&infos, NULL);
    cr_assert_eq(shadow_count(MPILENS_TABLE_INFOS, 0), 0);
}

Test(object, that_is_freed_and_used_may_be_given_again)
{
    struct mpilens_object *object = make(&shared, HANDLE, 0);
    cr_assert_eq(object_use_named(&shared, HANDLE), object);
    object_released(&shared, object, HANDLE, 0, 0);
    cr_assert_eq(object->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(object->handle, HANDLE, "what a stale handle is can be told");
    cr_assert_eq(object->references, 0);
    cr_assert_null(object_find(&shared, HANDLE));
    cr_assert(object_give(&shared, object, HANDLE, FUNCTION + 1, SITE + 1));
    cr_assert(object_give(&shared, object, HANDLE, FUNCTION + 2, SITE + 2));
    cr_assert_not(object_give(&shared, object, HANDLE + 1, FUNCTION, SITE), "it has another handle");
    cr_assert_eq(object->references, 2);
    cr_assert_eq(object->function, FUNCTION + 1);
    cr_assert_eq(object->site, SITE + 1);
    cr_assert_eq(object->state, MPILENS_OBJECT_LIVE);
    cr_assert_eq(object_find(&shared, HANDLE), object);
    object_released(&shared, object, HANDLE, 0, 0);
    object_released(&shared, object, HANDLE, 0, 0);
    cr_assert_eq(object->state, MPILENS_OBJECT_FREED);
    object_unuse(&shared, object);
    cr_assert_eq(object->state, MPILENS_OBJECT_FREED, "and a while longer");
    cr_assert_eq(given_back, 0);
}

static bool are_same(const void *known, const void *record)
{
    return ((const struct mpilens_object *)known)->flags == ((const struct mpilens_object *)record)->flags;
}

Test(object, that_is_known_already_was_given_once_more)
{
    struct mpilens_object *object = make(&shared, HANDLE, 0x100);
    struct mpilens_object *again = object_take(&shared, HANDLE, FUNCTION, SITE, 0x100);
    cr_assert_eq(object_publish_or_reference(&shared, again, are_same), object);
    cr_assert_eq(object->references, 2);
    cr_assert_eq(given_back, 1);
    struct mpilens_object *other = object_take(&shared, HANDLE, FUNCTION, SITE, 0x200);
    cr_assert_eq(object_publish_or_reference(&shared, other, are_same), other);
    cr_assert_eq(object->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(other->references, 1);
    cr_assert_eq(shadow_count(MPILENS_TABLE_ERRHANDLERS, MPILENS_OBJECT_LIVE), 1);
}

static void *give_and_free(void *argument)
{
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        struct mpilens_object *object = object_reference(&shared, HANDLE);
        if (object == NULL) {
            object = object_take(&shared, HANDLE, FUNCTION, SITE, 0);
            object = object_publish_or_reference(&shared, object, NULL);
        }
        object_use(object);
        object_released(&shared, object, HANDLE, 0, 0);
        object_unuse(&shared, object);
    }
    return NULL;
}

Test(object, may_be_given_and_freed_by_several_threads)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, give_and_free, NULL), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    cr_assert_null(object_find(&shared, HANDLE));
    cr_assert_eq(shadow_count(MPILENS_TABLE_ERRHANDLERS, MPILENS_OBJECT_LIVE), 0);
    cr_assert_leq(shadow_count(MPILENS_TABLE_ERRHANDLERS, 0), OBJECTS_KEPT);
}

Test(object, for_which_there_is_no_memory_is_counted)
{
    setenv("MPILENS_MEMORY_LIMIT", "1", 1);
    memory_read_limit();
    cr_assert_null(object_take(&infos, HANDLE, FUNCTION, SITE, 0));
    cr_assert_eq(mpilens_process.tables[MPILENS_TABLE_INFOS].untracked, 1);
}
