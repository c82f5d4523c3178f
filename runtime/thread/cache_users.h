/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which places of the threads' caches name a record: whoever ends the record empties these and no others, however many
 * threads there are. The list of them begins behind the published record.
 */
#ifndef MPILENS_RUNTIME_THREAD_CACHE_USERS_H
#define MPILENS_RUNTIME_THREAD_CACHE_USERS_H

#include "thread/thread.h"

/* The calling thread fills places of its caches between these; whoever empties them waits. */
void cache_users_lock(void);
void cache_users_unlock(void);

/* `user`, of a place of the calling thread's caches, names `record` of this kind from now on, and not what it named
 * before. Locked. False: the record is over, and the place is to stay empty. */
bool cache_user_set(struct cache_user *user, enum mpilens_table_kind kind, void *record);

/* A place that names a record by its handle. */
void cache_user_fill(struct cache_user *user, enum mpilens_table_kind kind, struct handle_cache_entry *entry,
                     uint64_t handle, void *record) COLD;

/* Empties all places that name the record of this kind. */
void cache_users_forget(enum mpilens_table_kind kind, void *record);

#endif
