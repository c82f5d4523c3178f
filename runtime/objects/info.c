/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps records of info objects and their entries.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/functions.h"

#include <pthread.h>

static void give_back_entries(void *record);

static struct object_kind infos = OBJECT_KIND(MPILENS_TABLE_INFOS, give_back_entries);

/* Guards entries and hints. */
static pthread_mutex_t texts_mutex = PTHREAD_MUTEX_INITIALIZER;

static void give_back_entries(void *record)
{
    texts_give_back(((struct mpilens_info *)record)->entries);
}

/* The entries of an info object that is certainly valid. */
static struct mpilens_texts ask_entries(MPI_Info handle)
{
    struct mpilens_texts entries = {0};
    char key[MPI_MAX_INFO_KEY + 1];
    char value[MPI_MAX_INFO_VAL + 1];
    int count = 0;
    if (mpilens__asked.MPI_Info_get_nkeys(handle, &count) != MPI_SUCCESS)
        return entries;
    for (int i = 0; i < count && entries.bytes < TEXTS_BYTES_KEPT; i++) {
        int found = 0;
        if (mpilens__asked.MPI_Info_get_nthkey(handle, i, key) != MPI_SUCCESS ||
            mpilens__asked.MPI_Info_get(handle, key, MPI_MAX_INFO_VAL, value, &found) != MPI_SUCCESS || !found)
            break;
        texts_set_pair(&entries, key, value);
        if (!texts_are_complete(&entries))
            break;
    }
    entries.count = 2 * (uint32_t)count;
    return entries;
}

/* The record has the memory of the entries then. */
static void add(MPI_Info handle, const char *name, uint32_t function, uint64_t site, uint32_t flags,
                struct mpilens_texts entries)
{
    struct mpilens_info *record = object_take(&infos, HANDLE_VALUE(handle), function, site, flags);
    if (record == NULL) {
        texts_give_back(&entries);
        return;
    }
    text_copy(record->name, sizeof record->name, name);
    record->entries[0] = entries;
    object_publish(&infos, record);
}

static const struct mpilens_texts no_entries;

void infos_initialize(void)
{
    if (object_find(&infos, HANDLE_VALUE(MPI_INFO_ENV)) == NULL)
        add(MPI_INFO_ENV, "MPI_INFO_ENV", 0, 0, MPILENS_OBJECT_PREDEFINED, no_entries);
}

void infos_of_world_initialize(void)
{
    struct mpilens_info *record = info_find(HANDLE_VALUE(MPI_INFO_ENV));
    if (record != NULL && record->entries[0].count == 0)
        record->entries[0] = ask_entries(MPI_INFO_ENV);
}

static bool is_new_object(MPI_Info handle)
{
    return handle != MPI_INFO_NULL && handle != MPI_INFO_ENV;
}

void info_created(uint32_t function, uint64_t site, MPI_Info handle)
{
    if (!is_new_object(handle))
        return;
    add(handle, NULL, function, site, 0, function == FUNCTION_MPI_Info_create ? no_entries : ask_entries(handle));
}

void info_duplicated(uint32_t function, uint64_t site, MPI_Info original, MPI_Info handle)
{
    if (!is_new_object(handle))
        return;
    const struct mpilens_info *known = info_find(HANDLE_VALUE(original));
    struct mpilens_texts entries = {0};
    if (known != NULL) {
        pthread_mutex_lock(&texts_mutex);
        texts_set_pairs(&entries, known->entries);
        pthread_mutex_unlock(&texts_mutex);
    } else
        entries = ask_entries(handle);
    add(handle, NULL, function, site, 0, entries);
}

struct mpilens_info *info_find(uint64_t handle)
{
    return object_find(&infos, handle);
}

/* Where not everything is kept, it cannot be known which keys there were already. */
static void correct_count(struct mpilens_texts *entries, MPI_Info handle)
{
    int count = 0;
    if (mpilens__asked.MPI_Info_get_nkeys(handle, &count) == MPI_SUCCESS)
        __atomic_store_n(&entries->count, 2 * (uint32_t)count, __ATOMIC_RELAXED);
}

void info_set(MPI_Info handle, const char *key, const char *value)
{
    struct mpilens_info *record = info_find(HANDLE_VALUE(handle));
    if (record == NULL || key == NULL || value == NULL)
        return;
    pthread_mutex_lock(&texts_mutex);
    texts_set_pair(record->entries, key, value);
    bool complete = texts_are_complete(record->entries);
    pthread_mutex_unlock(&texts_mutex);
    if (!complete)
        correct_count(record->entries, handle);
}

void info_deleted(MPI_Info handle, const char *key)
{
    struct mpilens_info *record = info_find(HANDLE_VALUE(handle));
    if (record == NULL || key == NULL)
        return;
    pthread_mutex_lock(&texts_mutex);
    texts_remove_pair(record->entries, key);
    bool complete = texts_are_complete(record->entries);
    pthread_mutex_unlock(&texts_mutex);
    if (!complete)
        correct_count(record->entries, handle);
}

void info_freed(uint32_t function, uint64_t site, struct mpilens_info *record, uint64_t handle)
{
    object_released(&infos, record, handle, function, site);
}

void info_give_hints(MPI_Info handle, struct mpilens_texts *hints, uint32_t *serial)
{
    if (handle == MPI_INFO_NULL)
        return;
    const struct mpilens_info *record = info_find(HANDLE_VALUE(handle));
    struct mpilens_texts asked = record != NULL ? no_entries : ask_entries(handle);
    pthread_mutex_lock(&texts_mutex);
    texts_set_pairs(hints, record != NULL ? record->entries : &asked);
    *serial = record != NULL ? record->serial : 0;
    pthread_mutex_unlock(&texts_mutex);
    texts_give_back(&asked);
}
