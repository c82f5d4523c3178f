/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the records that refer to an object.
 */
#ifndef MPILENS_DLL_FACTS_OBJECT_USERS_H
#define MPILENS_DLL_FACTS_OBJECT_USERS_H

#include "snapshot/reading.h"
#include "target/sort.h"

/* Records that refer to an object, by enum mpilens_object_kind (`major`), then serial. Zero-initialised: none. */
struct user_list {
    struct sort_entry *entries;
    size_t count;
    size_t capacity;
    size_t next;
};

/* Finds those of an object of this kind, whose record is in the snapshot. mqs_ok or a code. */
int user_list_make(const struct reading *reading, int kind, const void *record, struct user_list *ret_list);

void user_list_free(struct user_list *list);

#endif
