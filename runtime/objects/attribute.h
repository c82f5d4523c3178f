/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes that the application sets on communicators, datatypes and windows. Programs that set none pay for nothing.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_ATTRIBUTE_H
#define MPILENS_RUNTIME_OBJECTS_ATTRIBUTE_H

#include "objects/keyval.h"
#include "thread/thread.h"

/* How many there are. */
extern uint64_t mpilens__attribute_count __attribute__((visibility("hidden")));

/* `value` is set on `object` with `keyval`, whose record was `record` before the call; one that was set before is
 * replaced. NULL is fine. */
void attribute_set(enum mpilens_attachable kind, const void *object, struct mpilens_keyval *record, int keyval,
                   uint64_t value, uint64_t site);

/* After a call that deletes it. NULL is fine. */
void attribute_deleted(const void *object, const struct mpilens_keyval *keyval);

void attributes_drop(const void *object) COLD;
void attributes_copy(enum mpilens_attachable kind, const void *from, const void *to, uint64_t handle,
                     bool may_ask) COLD;

/* The application has freed the object with this record: its attributes went first. */
INLINE void attributes_object_freed(const void *object)
{
    if (unlikely(__atomic_load_n(&mpilens__attribute_count, __ATOMIC_RELAXED) != 0))
        attributes_drop(object);
}

/* `to`, the record of what `handle` names, is a duplicate of `from`: it has those attributes that were copied. Copy
 * functions may decline, so MPI is asked, unless nothing may be asked of `handle` yet. NULL is fine. */
INLINE void attributes_copied(enum mpilens_attachable kind, const void *from, const void *to, uint64_t handle,
                              bool may_ask)
{
    if (unlikely(__atomic_load_n(&mpilens__attribute_count, __ATOMIC_RELAXED) != 0) && from != NULL && to != NULL)
        attributes_copy(kind, from, to, handle, may_ask);
}

#endif
