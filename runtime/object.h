/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects that a handle names: what their records have in common. From a handle to the record, how often the
 * application must free it, and how long the record stays after that.
 *
 * A handle may be given for the same object several times (groups, error handlers); each time it must be freed once. A
 * record is withdrawn when the application has freed its object and nothing of the runtime refers to it; the last of
 * those stay a while, so that what a stale handle was can still be told.
 */
#ifndef MPILENS_RUNTIME_OBJECT_H
#define MPILENS_RUNTIME_OBJECT_H

#include "handle_map.h"
#include "mpilens/layout.h"

#include <stddef.h>

/* The beginning of every such record: MPILENS_OBJECT_FIELDS of layout.def. */
struct object {
    uint32_t state;
    uint32_t flags;
    uint64_t handle;
    uint64_t site;
    uint64_t created;
    uint32_t function;
    uint32_t serial;
    uint32_t references;
    uint32_t users;
};

enum { OBJECTS_KEPT = 32 }; /* freed ones that stay readable */

/* All objects of one kind. */
struct object_kind {
    enum mpilens_table_kind table;
    void (*give_back)(void *record); /* what a record holds beside itself; NULL: nothing */
    struct handle_map handles;
    uint32_t count;
    void *freed[OBJECTS_KEPT]; /* a ring */
    uint32_t freed_count;
};

#define OBJECT_KIND(table_kind, give_back_function)                                                                    \
    {                                                                                                                  \
        .table = (table_kind), .give_back = (give_back_function), .handles = HANDLE_MAP_INITIALIZER                    \
    }

/* The record that a handle names now, or NULL. */
void *object_find(struct object_kind *kind, uint64_t handle);

/* A record for what a call has given as `handle`: its common fields stand, references is 1, users 0; the rest is the
 * caller's to set. Readers do not see it before object_publish. NULL: no memory, counted in the table's `untracked`.
 * `function` 0: predefined or not seen being made. */
void *object_take(struct object_kind *kind, uint64_t handle, uint32_t function, uint64_t site, uint32_t flags);

/* Readers see it and its handle names it from now on; what the handle named before has been freed by a call that was
 * not seen. False: no memory, the record is gone. */
bool object_publish(struct object_kind *kind, void *record);

/* The handle of a live record was given once more. */
void object_reference(void *record);

/* After the application has freed it once; `record` and `handle` as they were before the call. Predefined objects stay.
 * NULL is fine. */
void object_released(struct object_kind *kind, void *record, uint64_t handle);

/* Something of the runtime refers to the record from now on, or no more. NULL is fine. */
void *object_use(void *record);
void object_unuse(struct object_kind *kind, void *record);

/* Fills the common fields of a new record: as object_take. */
void object_begin(struct object *object, uint64_t handle, uint32_t function, uint64_t site, uint32_t flags,
                  uint32_t *count);

#endif
