/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays that grow, in memory of the debugger: each is one block, which the debugger can be given.
 */
#ifndef MPILENS_DLL_ANSWERS_ANSWER_LIST_H
#define MPILENS_DLL_ANSWERS_ANSWER_LIST_H

#include <stddef.h>

struct answer_list {
    void *items; /* NULL: none */
    size_t count;
    size_t capacity;
    size_t item_bytes;
};

/* Appends a copy of an item. mqs_ok or MPILENS_ERROR_NO_MEMORY; more than INT_MAX are left out. */
int answer_list_add(struct answer_list *list, const void *item);

void answer_list_free(struct answer_list *list);

/* A copy of the array, NULL where it has no elements. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int answer_copy(const void *items, size_t count, size_t item_bytes, void **ret_copy);

#endif
