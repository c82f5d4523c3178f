/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects that a handle names: what their records have in common. From a handle to the record, how often the
 * application must free it, and how long the record stays after that.
 *
 * A handle may be given for the same object several times (groups, error handlers); each time it must be freed once. A
 * record is withdrawn when the application has freed its object and nothing of the runtime refers to it; the last of
 * those stay a while, so that what a stale handle was can still be told.
 *
 * Some objects live while something else has them, also without a handle of the application: the group of a
 * communicator, the error handler of a window. The application may be given a handle of them, also again.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_OBJECT_H
#define MPILENS_RUNTIME_OBJECTS_OBJECT_H

#include "memory/handle_map.h"
#include "mpilens/object_layout.h"

#include <stddef.h>

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
 * `function` 0: predefined or not seen being made. May ask the library for the handle's integer of Fortran: outside of
 * locks. */
void *object_take(struct object_kind *kind, uint64_t handle, uint32_t function, uint64_t site, uint32_t flags);

/* Readers see it and its handle names it from now on; what the handle named before has been freed by a call that was
 * not seen. False: no memory, the record is gone. */
bool object_publish(struct object_kind *kind, void *record);

/* As object_publish; but a live record that the handle names already and that is `same` has been given once more, and
 * `record` is gone. `same` NULL: whatever the handle names is. Returns the record that the handle names, or NULL. */
void *object_publish_or_reference(struct object_kind *kind, void *record,
                                  bool (*same)(const void *known, const void *record));

/* `record`, which something uses, was given to the application as `handle`: once more, for the first time, or for the
 * first time since it was freed. False: it has another handle. */
bool object_give(struct object_kind *kind, void *record, uint64_t handle, uint32_t function, uint64_t site);

/* What the handle names was given once more. NULL: it names nothing. */
void *object_reference(struct object_kind *kind, uint64_t handle);

/* After the application has freed it once, by a call of `function` (0: not seen) at `site`; `record` and `handle` as
 * they were before the call. Predefined objects stay. NULL is fine. */
void object_released(struct object_kind *kind, void *record, uint64_t handle, uint32_t function, uint64_t site);

/* The same of kinds that end in their own way: notes the call that has freed the object for the last time. */
void object_note_freed(void *record, uint32_t function, uint64_t site);

/* Something of the runtime refers to the record from now on, or no more. NULL is fine. Predefined ones do not count. */
void *object_use(void *record);
void *object_use_named(struct object_kind *kind, uint64_t handle);
void object_unuse(struct object_kind *kind, void *record);

/* The same from `give_back` functions, which are called under the lock. */
void object_unuse_locked(struct object_kind *kind, void *record);

/* Fills the common fields of a new record: as object_take. `handle` 0: it has none. */
void object_begin(enum mpilens_table_kind kind, struct mpilens_object *object, uint64_t handle, uint32_t function,
                  uint64_t site, uint32_t flags, uint32_t *count);

#endif
