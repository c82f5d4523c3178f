/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who refers to an object.
 */
#ifndef MPILENS_DLL_FACTS_OBJECT_USERS_H
#define MPILENS_DLL_FACTS_OBJECT_USERS_H

#include "target/sort.h"

#include <stdbool.h>

struct _mqs_process_info;

/* Records that refer to an object, by enum mpilens_object_kind (`major`), then serial. Zero-initialised: none. */
struct user_list {
    struct sort_entry *entries;
    size_t count;
    size_t capacity;
    size_t next;
    bool is_made;
};

/* Finds those of the current object. mqs_ok or a code. */
int user_list_make(struct _mqs_process_info *info, struct user_list *ret_list);

void user_list_free(struct user_list *list);

#endif
