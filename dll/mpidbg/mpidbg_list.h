/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays that grow, in memory of the debugger: each is one block, which the debugger can be given.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_LIST_H
#define MPILENS_DLL_MPIDBG_MPIDBG_LIST_H

#include "mpidbg/mpidbg_call.h"

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

/* C handles of those users of the current object that are of this kind and have one (of mqs_taddr_t). mqs_ok or a code;
 * the list is empty then. */
int answer_list_users(const struct inquiry *inquiry, int kind, struct answer_list *ret_handles);

/* World ranks of the members of the current group or communicator (of struct mpidbg_process_t): as many as `size`, or
 * none where they are not known. mqs_ok or a code. */
int answer_list_members(const struct inquiry *inquiry, int remote, int size, struct answer_list *ret_processes);

#endif
