/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists in memory of the debugger: users, members, text pairs of the current object.
 */
#ifndef MPILENS_DLL_ANSWERS_ANSWERS_H
#define MPILENS_DLL_ANSWERS_ANSWERS_H

#include "process/process.h"

#include <stddef.h>

/* -- answer_list.c --
 * Arrays that grow, in memory of the debugger: each is one block, which the debugger can be given.
 */

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

/* -- answer_contents.c -- Lists about the current object for debuggers, for both of the interfaces about handles.
 */

/* More ranks than any job has: a size that the target made up is not to take all memory. */
enum { MOST_MEMBERS = 1 << 24 };

/* C handles, of `handle_bytes` (4 or 8) each, of its users of this kind (MPILENS_OBJECT_NONE: of all) that have one.
 * mqs_ok or a code; the list is empty then. */
int answer_users(mqs_process_info *info, int kind, size_t handle_bytes, struct answer_list *ret_handles);

/* World ranks (int32_t, at most MOST_MEMBERS) of the members of a group or communicator, -1: of another world. mqs_ok
 * or a code; the list is empty then. */
int answer_members(mqs_process_info *info, int remote, struct answer_list *ret_ranks);

/* Takes a pair. mqs_ok, or the code with which answer_pairs_each ends. */
typedef int answer_pair(void *context, const char *key, const char *value);

/* Its pairs of texts, in order. mqs_ok, or a code; mqs_no_information: they are not known. */
int answer_pairs_each(mqs_process_info *info, answer_pair *take, void *context);

#endif
