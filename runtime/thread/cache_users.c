/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists, for each record, the cache places that name it.
 */
#include "thread/thread.h"

#include "mpilens/object_layout.h"

#include <pthread.h>

static pthread_mutex_t cache_mutex = PTHREAD_MUTEX_INITIALIZER;

void cache_users_lock(void)
{
    pthread_mutex_lock(&cache_mutex);
}

void cache_users_unlock(void)
{
    pthread_mutex_unlock(&cache_mutex);
}

static size_t published_bytes(enum mpilens_table_kind kind)
{
    return kind == MPILENS_TABLE_COMMUNICATORS ? sizeof(struct mpilens_communicator)
           : kind == MPILENS_TABLE_DATATYPES   ? sizeof(struct mpilens_datatype)
                                               : sizeof(struct mpilens_window);
}

static struct cache_user **first_user(enum mpilens_table_kind kind, void *record)
{
    return (struct cache_user **)(void *)((char *)record + published_bytes(kind));
}

static void leave(struct cache_user *user)
{
    if (user->link == NULL)
        return;
    __atomic_store_n(user->link, user->next, __ATOMIC_RELAXED);
    if (user->next != NULL)
        user->next->link = user->link;
    user->link = NULL;
}

bool cache_user_set(struct cache_user *user, enum mpilens_table_kind kind, void *record)
{
    struct cache_user **first = first_user(kind, record);
    leave(user);
    if (__atomic_load_n(&((struct mpilens_object *)record)->state, __ATOMIC_RELAXED) != MPILENS_OBJECT_LIVE)
        return false;
    user->next = *first;
    user->link = first;
    if (user->next != NULL)
        user->next->link = &user->next;
    __atomic_store_n(first, user, __ATOMIC_RELAXED);
    return true;
}

void cache_user_fill(struct cache_user *user, enum mpilens_table_kind kind, struct handle_cache_entry *entry,
                     uint64_t handle, void *record)
{
    cache_users_lock();
    user->entry = entry;
    __atomic_store_n(&entry->handle, HANDLE_CACHE_FREE, __ATOMIC_RELAXED);
    if (cache_user_set(user, kind, record))
        handle_cache_set(entry, handle, record);
    cache_users_unlock();
}

static void empty(struct cache_user *user)
{
    if (user->entry != NULL)
        __atomic_store_n(&user->entry->handle, HANDLE_CACHE_FREE, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&user->operation_entry->communicator, (MPI_Comm)0, __ATOMIC_RELAXED);
}

void cache_users_forget(enum mpilens_table_kind kind, void *record)
{
    struct cache_user **first = first_user(kind, record);
    if (__atomic_load_n(first, __ATOMIC_RELAXED) == NULL) /* a thread that fills a place now uses what is being freed */
        return;
    cache_users_lock();
    while (*first != NULL) {
        empty(*first);
        leave(*first);
    }
    cache_users_unlock();
}
