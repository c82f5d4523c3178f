/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads by their index.
 */
#include "thread/thread_internal.h"

#include <criterion/criterion.h>

#include <stdlib.h>

enum { MANY = 2000 };

Test(thread_index, knows_every_thread_that_was_added)
{
    struct thread **threads = calloc(MANY, sizeof *threads);
    cr_assert_null(thread_at(0));
    for (uint32_t i = 0; i < MANY; i++) {
        threads[i] = aligned_alloc(_Alignof(struct thread), sizeof(struct thread));
        threads[i]->published.index = i;
        cr_assert(thread_index_add(threads[i]));
        cr_assert_null(thread_at(i + 1));
    }
    for (uint32_t i = 0; i < MANY; i++)
        cr_assert_eq(thread_at(i), threads[i]);
    cr_assert_null(thread_at(UINT32_MAX / 2));
}
