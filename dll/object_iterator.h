/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A way through all objects of one kind in a snapshot.
 */
#ifndef MPILENS_DLL_OBJECT_ITERATOR_H
#define MPILENS_DLL_OBJECT_ITERATOR_H

#include "snapshot.h"

/* Zeroed: at no object. */
struct object_iterator {
    int kind;                 /* enum mpilens_object_kind */
    struct sort_entry *order; /* of records, in the order in which they were made */
    size_t count;
    size_t next;
    const void *current; /* delivered last, NULL: none */
};

/* Stands before the first object of the kind, which is one. mqs_ok or MPILENS_ERROR_NO_MEMORY; then it is at no object.
 */
int object_iterator_begin(const struct snapshot *, int kind, struct object_iterator *);

/* The next record, NULL at the end. */
const void *object_iterator_next(struct object_iterator *);

/* Gives back what it holds. */
void object_iterator_end(struct object_iterator *);

/* The kind's table; MPILENS_TABLE_COUNT: there is no such kind. */
enum mpilens_table_kind object_table(int kind);

#endif
