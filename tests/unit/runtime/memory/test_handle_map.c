/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handle maps against an array.
 */
#include "memory/memory.h"
#include "shadow.h"

#include <criterion/criterion.h>

enum { HANDLES = 3000 };

static struct handle_map map = HANDLE_MAP_INITIALIZER;
static int records[HANDLES];

static void compare(const uint64_t *handles, int *const *model)
{
    for (size_t i = 0; i < HANDLES; i++)
        cr_assert_eq(handle_map_find(&map, handles[i]), model[i], "handle %zu", i);
}

/* Random set, replace, remove of right and wrong records. */
static void play(const uint64_t *handles)
{
    static int *model[HANDLES];
    uint64_t random = 7;
    for (int step = 0; step < 60000; step++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        size_t i = (random >> 33) % HANDLES, k = (random >> 20) % HANDLES;
        if ((random >> 60) < 8) {
            cr_assert(handle_map_set(&map, handles[i], &records[k]));
            model[i] = &records[k];
        } else if ((random >> 60) < 15) {
            handle_map_remove(&map, handles[i], model[i]);
            model[i] = NULL;
        } else
            handle_map_remove(&map, handles[i], &map);
        cr_assert_eq(handle_map_find(&map, handles[i]), model[i]);
        if (step % 5000 == 0)
            compare(handles, model);
    }
    compare(handles, model);
    uint64_t count = 0;
    for (size_t i = 0; i < HANDLES; i++) {
        count += model[i] != NULL;
    }
    cr_assert_eq(map.count, count);
}

Test(handle_map, behaves_like_an_array_with_handles_that_count_up)
{
    static uint64_t handles[HANDLES];
    for (size_t i = 0; i < HANDLES; i++)
        handles[i] = 0x84000000u + i;
    play(handles);
}

Test(handle_map, behaves_like_an_array_with_handles_that_are_addresses)
{
    static uint64_t handles[HANDLES];
    for (size_t i = 0; i < HANDLES; i++)
        handles[i] = UINT64_C(0x7f0000001000) + i * 4096;
    play(handles);
}

Test(handle_map, keeps_handles_apart_that_share_a_place)
{
    /* Multiples of 2^40 differ in bits that the hash moves out of sight. */
    static uint64_t handles[HANDLES];
    for (size_t i = 0; i < HANDLES; i++)
        handles[i] = ((uint64_t)i << 44) + 5;
    play(handles);
}

Test(handle_map, finds_nothing_where_nothing_was_ever_set)
{
    cr_assert_null(handle_map_find(&map, 0));
    handle_map_remove(&map, 0, NULL);
    cr_assert_null(handle_map_find(&map, 12));
}

Test(handle_map, has_a_place_for_the_handle_zero)
{
    cr_assert(handle_map_set(&map, 0, &records[0]));
    cr_assert_eq(handle_map_find(&map, 0), &records[0]);
    handle_map_remove(&map, 0, &records[0]);
    cr_assert_null(handle_map_find(&map, 0));
}

Test(handle_map, says_so_where_there_is_no_memory)
{
    mpilens_process.memory_limit = 1;
    cr_assert_not(handle_map_set(&map, 1, &records[0]));
    cr_assert_null(handle_map_find(&map, 1));
}
