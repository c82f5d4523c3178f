/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Maps and unmaps memory, counted and limited: anonymous, or of the black box.
 */
#include "memory/memory.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static uint64_t limit_from_text(const char *text)
{
    char *end = NULL;
    uint64_t value = strtoull(text, &end, 10);
    switch (*end) {
    case 'K':
        return value << 10;
    case 'M':
        return value << 20;
    case 'G':
        return value << 30;
    default:
        return value;
    }
}

void memory_read_limit(void)
{
    const char *text = getenv("MPILENS_MEMORY_LIMIT");
    mpilens_process.memory_limit = text != NULL && *text ? limit_from_text(text) : (uint64_t)1 << 30;
}

/* Enough for the shared memory of a process with few objects; pieces larger than an eighth have mappings of their
 * own. */
enum { COMMON_BYTES = 1 << 21 };

static void uncount(size_t bytes)
{
    __atomic_fetch_sub(&mpilens_process.memory_bytes, bytes, __ATOMIC_RELAXED);
}

/* False: more than the limit allows, not counted. */
static bool count(size_t bytes, uint64_t limit)
{
    uint64_t before = __atomic_fetch_add(&mpilens_process.memory_bytes, bytes, __ATOMIC_RELAXED);
    if (limit == 0 || before + bytes <= limit)
        return true;
    uncount(bytes);
    return false;
}

static void *map(size_t bytes, uint64_t limit, bool is_shown)
{
    if (!count(bytes, limit))
        return NULL;
    void *memory = is_shown ? black_box_take_block(bytes) : NULL;
    if (memory != NULL)
        return memory;
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
        return memory;
    uncount(bytes);
    return NULL;
}

void *memory_map(size_t bytes)
{
    return map(bytes, mpilens_process.memory_limit, false);
}

void *memory_map_shown(size_t bytes)
{
    return map(bytes, mpilens_process.memory_limit, true);
}

/* Room in the common mapping, NULL: there is none left. Pages that are not used cost nothing. */
static void *common_room(size_t bytes)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static char *room;
    static size_t room_bytes;
    void *memory = NULL;
    pthread_mutex_lock(&mutex);
    if (room == NULL) {
        room = mmap(NULL, COMMON_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room != MAP_FAILED) {
            madvise(room, COMMON_BYTES, MADV_NOHUGEPAGE);
            room_bytes = COMMON_BYTES;
        }
    }
    if (bytes <= room_bytes && bytes <= COMMON_BYTES / 8) {
        memory = room;
        room += bytes;
        room_bytes -= bytes;
    }
    pthread_mutex_unlock(&mutex);
    return memory;
}

void *memory_map_together(size_t bytes)
{
    const uint64_t limit = mpilens_process.memory_limit;
    if (!count(bytes, limit))
        return NULL;
    void *memory = black_box_take(bytes);
    if (memory == NULL)
        memory = common_room(bytes);
    if (memory != NULL)
        return memory;
    uncount(bytes);
    return memory_map(bytes);
}

void memory_unmap(void *memory, size_t bytes)
{
    if (memory == NULL)
        return;
    if (!black_box_give_back(memory, bytes))
        munmap(memory, bytes);
    uncount(bytes);
}

void memory_give_back_pages(void *memory, size_t bytes)
{
    /* Space that the file has set aside stays: nobody may be without it later. */
    if (!black_box_has(memory))
        madvise(memory, bytes, MADV_DONTNEED);
}

static bool reserve(void **memory, size_t *capacity_bytes, size_t bytes, bool is_shown)
{
    if (bytes <= *capacity_bytes)
        return true;
    size_t capacity = *capacity_bytes ? *capacity_bytes : 4096;
    while (capacity < bytes)
        capacity *= 2;
    void *grown = map(capacity, 0, is_shown);
    if (grown == NULL)
        return false;
    memory_unmap(*memory, *capacity_bytes);
    *memory = grown;
    *capacity_bytes = capacity;
    return true;
}

bool memory_reserve(void **memory, size_t *capacity_bytes, size_t bytes)
{
    return reserve(memory, capacity_bytes, bytes, false);
}

bool memory_reserve_shown(void **memory, size_t *capacity_bytes, size_t bytes)
{
    return reserve(memory, capacity_bytes, bytes, true);
}
