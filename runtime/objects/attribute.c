/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps records of attributes: a chain for each object that has any.
 */
#include "objects/objects.h"

#include "memory/memory.h"
#include "mpi/functions.h"

#include <pthread.h>

struct attribute {
    struct mpilens_attribute published;
    struct attribute *next; /* of the same object */
};

uint64_t mpilens__attribute_count;

static pthread_mutex_t attribute_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct handle_map firsts = HANDLE_MAP_INITIALIZER; /* by the address of the object's record */

static uint64_t address(const void *record)
{
    return (uint64_t)(uintptr_t)record;
}

static struct attribute *first_of(const void *object)
{
    return handle_map_find(&firsts, address(object));
}

static bool set_first(const void *object, struct attribute *first)
{
    if (first != NULL)
        return handle_map_set(&firsts, address(object), first);
    handle_map_remove(&firsts, address(object), first_of(object));
    return true;
}

static struct attribute *find(const void *object, const struct mpilens_keyval *keyval)
{
    struct attribute *attribute = first_of(object);
    while (attribute != NULL && attribute->published.keyval != address(keyval))
        attribute = attribute->next;
    return attribute;
}

static void give_back(struct attribute *attribute)
{
    struct mpilens_keyval *keyval = (struct mpilens_keyval *)(uintptr_t)attribute->published.keyval;
    table_give_back_one(MPILENS_TABLE_ATTRIBUTES, attribute);
    keyval_unuse(keyval);
    __atomic_fetch_sub(&mpilens__attribute_count, 1, __ATOMIC_RELAXED);
}

static void add(enum mpilens_attachable kind, const void *object, struct mpilens_keyval *keyval, uint64_t value,
                uint64_t site)
{
    if (mpilens_process.tables[MPILENS_TABLE_ATTRIBUTES].record_bytes == 0)
        table_set_record_bytes(MPILENS_TABLE_ATTRIBUTES, sizeof(struct attribute));
    struct attribute *attribute = table_take_one(MPILENS_TABLE_ATTRIBUTES);
    if (attribute == NULL)
        return;
    struct mpilens_attribute *published = &attribute->published;
    published->object_kind = kind;
    published->object = address(object);
    published->keyval = address(keyval_use(keyval));
    published->value = value;
    published->site = site;
    attribute->next = first_of(object);
    __atomic_fetch_add(&mpilens__attribute_count, 1, __ATOMIC_RELAXED);
    if (set_first(object, attribute))
        __atomic_store_n(&published->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    else
        give_back(attribute);
}

static void put(enum mpilens_attachable kind, const void *object, struct mpilens_keyval *keyval, uint64_t value,
                uint64_t site)
{
    pthread_mutex_lock(&attribute_mutex);
    struct attribute *attribute = find(object, keyval);
    if (attribute != NULL) {
        __atomic_store_n(&attribute->published.value, value, __ATOMIC_RELAXED);
        __atomic_store_n(&attribute->published.site, site, __ATOMIC_RELAXED);
    } else
        add(kind, object, keyval, value, site);
    pthread_mutex_unlock(&attribute_mutex);
}

void attribute_set(enum mpilens_attachable kind, const void *object, struct mpilens_keyval *record, int keyval,
                   uint64_t value, uint64_t site)
{
    if (object == NULL)
        return;
    if (record == NULL)
        record = keyval_discover(keyval, kind);
    if (record != NULL)
        put(kind, object, record, value, site);
}

void attribute_deleted(const void *object, const struct mpilens_keyval *keyval)
{
    if (object == NULL || keyval == NULL)
        return;
    pthread_mutex_lock(&attribute_mutex);
    struct attribute *attribute = find(object, keyval);
    if (attribute != NULL) {
        struct attribute *first = first_of(object);
        if (first == attribute)
            set_first(object, attribute->next);
        else {
            while (first->next != attribute)
                first = first->next;
            first->next = attribute->next;
        }
        give_back(attribute);
    }
    pthread_mutex_unlock(&attribute_mutex);
}

void attributes_drop(const void *object)
{
    pthread_mutex_lock(&attribute_mutex);
    struct attribute *attribute = first_of(object);
    if (attribute != NULL)
        set_first(object, NULL);
    while (attribute != NULL) {
        struct attribute *next = attribute->next;
        give_back(attribute);
        attribute = next;
    }
    pthread_mutex_unlock(&attribute_mutex);
}

/* A possible source of a copied attribute, while no lock is held. */
struct original {
    struct mpilens_keyval *keyval; /* used */
    uint64_t value;
    uint64_t site;
};

static size_t count_of(const void *object)
{
    size_t count = 0;
    for (const struct attribute *attribute = first_of(object); attribute != NULL; attribute = attribute->next)
        count++;
    return count;
}

/* Whether the new object has it. MPI is asked only about what it is sure to accept. */
static bool was_copied(enum mpilens_attachable kind, struct original *original, uint64_t handle, bool may_ask)
{
    const struct mpilens_keyval *keyval = original->keyval;
    if (keyval->flags & MPILENS_KEYVAL_NOT_COPIED)
        return false;
    if (!may_ask || __atomic_load_n(&keyval->state, __ATOMIC_ACQUIRE) != MPILENS_OBJECT_LIVE ||
        (keyval->flags & MPILENS_OBJECT_ORIGIN_UNSEEN))
        return true;
    void *value = NULL;
    int found = 0;
    int key = (int)keyval->handle;
    int error = kind == MPILENS_ATTACHABLE_COMMUNICATOR
                    ? mpilens__asked.MPI_Comm_get_attr((MPI_Comm)(uintptr_t)handle, key, &value, &found)
                    : mpilens__asked.MPI_Type_get_attr((MPI_Datatype)(uintptr_t)handle, key, &value, &found);
    if (error != MPI_SUCCESS || !found)
        return false;
    original->value = address(value);
    return true;
}

void attributes_copy(enum mpilens_attachable kind, const void *from, const void *to, uint64_t handle, bool may_ask)
{
    pthread_mutex_lock(&attribute_mutex);
    size_t count = count_of(from);
    size_t bytes = count * sizeof(struct original);
    struct original *originals = count ? block_take(bytes) : NULL;
    if (originals != NULL) {
        size_t i = count; /* the oldest first */
        for (const struct attribute *attribute = first_of(from); attribute != NULL; attribute = attribute->next)
            originals[--i] =
                (struct original){keyval_use((struct mpilens_keyval *)(uintptr_t)attribute->published.keyval),
                                  attribute->published.value, attribute->published.site};
    }
    pthread_mutex_unlock(&attribute_mutex);
    for (size_t i = 0; originals != NULL && i < count; i++) {
        if (was_copied(kind, &originals[i], handle, may_ask))
            put(kind, to, originals[i].keyval, originals[i].value, originals[i].site);
        keyval_unuse(originals[i].keyval);
    }
    block_give_back(originals, bytes);
}
