/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocates chunks of tables, and takes and gives back records in batches.
 */
#include "memory/memory.h"

#include <pthread.h>
#include <unistd.h>

enum {
    DIRECTORY_CHUNKS = 5000,
    SMALL_DIRECTORY_CHUNKS = 640,
    FIRST_CHUNK_BYTES = 1 << 14,
    LARGEST_CHUNK_BYTES = 1 << 20,
    DIRECTORY_UNIT_BYTES = 1 << 12,
    CACHE_LINE_BYTES = 64
};

/* A record that was given back: `state` stays 0, the link lies behind it. */
struct free_record {
    uint64_t state;
    struct free_record *next;
};

struct chunk_free_list {
    struct free_record *first;
    uint32_t count;
};

/* Private state of a table, beside the published struct. */
struct table_owner {
    struct chunk_free_list *free_lists; /* as many as fit in the directory */
    uint32_t first_with_room;           /* no chunk before it has a free record */
    uint32_t last_given_back;           /* chunk of the last record that came back */
};

static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct table_owner owners[MPILENS_TABLE_COUNT];

/* The size of a record that threads' caches name: cache_users.c. */
#define WITH_USERS(structure) (sizeof(struct structure) + sizeof(uint64_t))

static const size_t record_sizes[MPILENS_TABLE_COUNT] = {
    [MPILENS_TABLE_OPERATIONS] = sizeof(struct mpilens_operation),
    [MPILENS_TABLE_COMMUNICATORS] = WITH_USERS(mpilens_communicator),
    [MPILENS_TABLE_GROUPS] = sizeof(struct mpilens_group),
    [MPILENS_TABLE_DATATYPES] = WITH_USERS(mpilens_datatype),
    [MPILENS_TABLE_THREADS] = sizeof(struct mpilens_thread),
    [MPILENS_TABLE_CHANNELS] = sizeof(struct mpilens_channel),
    [MPILENS_TABLE_MESSAGES] = sizeof(struct mpilens_message),
    [MPILENS_TABLE_OPS] = sizeof(struct mpilens_op),
    [MPILENS_TABLE_ERRHANDLERS] = sizeof(struct mpilens_errhandler),
    [MPILENS_TABLE_INFOS] = sizeof(struct mpilens_info),
    [MPILENS_TABLE_KEYVALS] = sizeof(struct mpilens_keyval),
    [MPILENS_TABLE_ATTRIBUTES] = sizeof(struct mpilens_attribute),
    [MPILENS_TABLE_SESSIONS] = sizeof(struct mpilens_session),
    [MPILENS_TABLE_WINDOWS] = WITH_USERS(mpilens_window),
    [MPILENS_TABLE_FILES] = sizeof(struct mpilens_file),
    [MPILENS_TABLE_PARTITIONS] = sizeof(struct mpilens_partitions),
    [MPILENS_TABLE_UNEXPECTED] = sizeof(struct mpilens_unexpected),
    [MPILENS_TABLE_FAILED_CALLS] = sizeof(struct mpilens_failed_call),
};

static struct mpilens_chunk *directory(const struct mpilens_table *table)
{
    return (struct mpilens_chunk *)(uintptr_t)table->directory;
}

void table_set_record_bytes(enum mpilens_table_kind kind, size_t record_bytes)
{
    mpilens_process.tables[kind].record_bytes = (uint32_t)record_bytes;
}

static size_t chunk_bytes(const struct mpilens_table *table, const struct mpilens_chunk *chunk)
{
    return (size_t)chunk->capacity * table->record_bytes;
}

/* How many chunks a table may have: of what there are few of at a time, fewer. */
static uint32_t directory_chunks(enum mpilens_table_kind kind)
{
    return kind == MPILENS_TABLE_OPERATIONS ? DIRECTORY_CHUNKS : SMALL_DIRECTORY_CHUNKS;
}

static size_t directory_bytes(enum mpilens_table_kind kind)
{
    const size_t bytes = directory_chunks(kind) * sizeof(struct mpilens_chunk);
    return (bytes + DIRECTORY_UNIT_BYTES - 1) / DIRECTORY_UNIT_BYTES * DIRECTORY_UNIT_BYTES;
}

static bool table_prepare(enum mpilens_table_kind kind)
{
    struct mpilens_table *table = &mpilens_process.tables[kind];
    if (table->directory)
        return true;
    if (table->record_bytes == 0)
        table->record_bytes = (uint32_t)record_sizes[kind];
    /* Keeps data that one thread writes all the time off the cache lines of other threads. */
    if (kind == MPILENS_TABLE_CHANNELS || kind == MPILENS_TABLE_COMMUNICATORS || kind == MPILENS_TABLE_THREADS)
        table->record_bytes = (table->record_bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    owners[kind].free_lists = memory_map(directory_chunks(kind) * sizeof(struct chunk_free_list));
    if (owners[kind].free_lists == NULL)
        return false;
    table->directory = (uint64_t)(uintptr_t)memory_map_together(directory_bytes(kind));
    return table->directory != 0;
}

static bool table_grow(enum mpilens_table_kind kind)
{
    struct mpilens_table *table = &mpilens_process.tables[kind];
    uint32_t index = table->chunk_count;
    if (index >= directory_chunks(kind))
        return false;
    size_t bytes = FIRST_CHUNK_BYTES;
    for (uint32_t i = 0; i < index && bytes < LARGEST_CHUNK_BYTES; i++)
        bytes *= 2;
    while (bytes < table->record_bytes)
        bytes *= 2;
    void *records = memory_map_together(bytes);
    if (records == NULL)
        return false;
    struct mpilens_chunk *chunk = &directory(table)[index];
    chunk->records = (uint64_t)(uintptr_t)records;
    chunk->capacity = (uint32_t)(bytes / table->record_bytes);
    /* Last: a reader that sees the count sees the chunk behind it. */
    __atomic_store_n(&table->chunk_count, index + 1, __ATOMIC_RELEASE);
    return true;
}

/* Records that were given back come first, so that a chunk stays as short for readers as it can. */
static size_t take_from_chunk(enum mpilens_table_kind kind, uint32_t index, size_t wanted, void **ret_records)
{
    struct mpilens_table *table = &mpilens_process.tables[kind];
    struct mpilens_chunk *chunk = &directory(table)[index];
    struct chunk_free_list *free_list = &owners[kind].free_lists[index];
    size_t taken = 0;
    for (; taken < wanted && free_list->first != NULL; taken++) {
        ret_records[taken] = free_list->first;
        free_list->first = free_list->first->next;
        free_list->count--;
    }
    uint32_t high_water = chunk->high_water;
    for (; taken < wanted && high_water < chunk->capacity; taken++)
        ret_records[taken] = (char *)(uintptr_t)chunk->records + (size_t)table->record_bytes * high_water++;
    __atomic_store_n(&chunk->high_water, high_water, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->in_use, high_water - free_list->count, __ATOMIC_RELEASE);
    return taken;
}

size_t table_take(enum mpilens_table_kind kind, size_t wanted, void **ret_records)
{
    pthread_mutex_lock(&table_mutex);
    struct mpilens_table *table = &mpilens_process.tables[kind];
    size_t taken = 0;
    if (table_prepare(kind)) {
        uint32_t *index = &owners[kind].first_with_room;
        while (taken < wanted) {
            if (*index == table->chunk_count && !table_grow(kind))
                break;
            taken += take_from_chunk(kind, *index, wanted - taken, ret_records + taken);
            if (taken < wanted)
                ++*index;
        }
    }
    pthread_mutex_unlock(&table_mutex);
    return taken;
}

void *table_take_one(enum mpilens_table_kind kind)
{
    void *record = NULL;
    if (table_take(kind, 1, &record) == 0)
        __atomic_fetch_add(&mpilens_process.tables[kind].untracked, 1, __ATOMIC_RELAXED);
    return record;
}

void table_give_back_one(enum mpilens_table_kind kind, void *record)
{
    table_give_back(kind, &record, 1);
}

void table_give_back_untracked(enum mpilens_table_kind kind, void *record)
{
    table_give_back_one(kind, record);
    __atomic_fetch_add(&mpilens_process.tables[kind].untracked, 1, __ATOMIC_RELAXED);
}

static bool chunk_has(const struct mpilens_table *table, uint32_t index, const void *record)
{
    const struct mpilens_chunk *chunk = &directory(table)[index];
    return (uint64_t)(uintptr_t)record - chunk->records < chunk_bytes(table, chunk);
}

/* Records often come back in the order in which they were taken, so the previous record's chunk is the likeliest. */
static uint32_t chunk_of(const struct mpilens_table *table, uint32_t guess, const void *record)
{
    if (guess < table->chunk_count && chunk_has(table, guess, record))
        return guess;
    uint32_t index = 0;
    while (index < table->chunk_count && !chunk_has(table, index, record))
        index++;
    return index;
}

/* Bytes that table_grow mapped for a chunk of this size. */
static size_t room_bytes(size_t bytes)
{
    size_t room = FIRST_CHUNK_BYTES;
    while (room < bytes)
        room *= 2;
    return room;
}

static void give_back_to_system(const struct mpilens_table *table, struct mpilens_chunk *chunk,
                                struct chunk_free_list *free_list)
{
    free_list->first = NULL;
    free_list->count = 0;
    __atomic_store_n(&chunk->high_water, 0, __ATOMIC_RELAXED);
    /* Whole pages, which may be larger than what chunks are laid out by: other tables stand on the rest. */
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t begin = (chunk->records + page - 1) / page * page;
    const uint64_t end = (chunk->records + room_bytes(chunk_bytes(table, chunk))) / page * page;
    if (begin < end)
        memory_give_back_pages((void *)(uintptr_t)begin, end - begin);
}

void table_give_back(enum mpilens_table_kind kind, void *const *records, size_t count)
{
    pthread_mutex_lock(&table_mutex);
    struct mpilens_table *table = &mpilens_process.tables[kind];
    uint32_t index = owners[kind].last_given_back;
    for (size_t i = 0; i < count; i++) {
        struct free_record *record = records[i];
        index = chunk_of(table, index, record);
        struct mpilens_chunk *chunk = &directory(table)[index];
        struct chunk_free_list *free_list = &owners[kind].free_lists[index];
        __atomic_store_n((uint32_t *)(void *)record, 0, __ATOMIC_RELEASE);
        PUBLISH_BARRIER();
        record->next = free_list->first;
        free_list->first = record;
        free_list->count++;
        __atomic_store_n(&chunk->in_use, chunk->high_water - free_list->count, __ATOMIC_RELEASE);
        if (chunk->in_use == 0 && chunk_bytes(table, chunk) > FIRST_CHUNK_BYTES)
            give_back_to_system(table, chunk, free_list);
        if (index < owners[kind].first_with_room)
            owners[kind].first_with_room = index;
    }
    owners[kind].last_given_back = index;
    pthread_mutex_unlock(&table_mutex);
}

void table_visit(enum mpilens_table_kind kind, bool (*visit)(void *record, void *context), void *context)
{
    const struct mpilens_table *table = &mpilens_process.tables[kind];
    uint32_t chunk_count = __atomic_load_n(&table->chunk_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < chunk_count; i++) {
        const struct mpilens_chunk *chunk = &directory(table)[i];
        uint32_t high_water = __atomic_load_n(&chunk->high_water, __ATOMIC_ACQUIRE);
        for (uint32_t k = 0; k < high_water; k++)
            if (!visit((char *)(uintptr_t)chunk->records + (size_t)table->record_bytes * k, context))
                return;
    }
}
