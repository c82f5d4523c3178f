/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Anonymous mappings, counted and limited.
 */
#include "memory.h"

#include "process.h"

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
    mpilens_process.memory_limit = text && *text ? limit_from_text(text) : (uint64_t)1 << 30;
}

static void *map(size_t bytes, uint64_t limit)
{
    uint64_t before = __atomic_fetch_add(&mpilens_process.memory_bytes, bytes, __ATOMIC_RELAXED);
    void *memory = MAP_FAILED;
    if (limit == 0 || before + bytes <= limit)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        __atomic_fetch_sub(&mpilens_process.memory_bytes, bytes, __ATOMIC_RELAXED);
        return NULL;
    }
    return memory;
}

void *memory_map(size_t bytes)
{
    return map(bytes, mpilens_process.memory_limit);
}

void memory_unmap(void *memory, size_t bytes)
{
    if (!memory)
        return;
    munmap(memory, bytes);
    __atomic_fetch_sub(&mpilens_process.memory_bytes, bytes, __ATOMIC_RELAXED);
}

bool memory_reserve(void **memory, size_t *capacity_bytes, size_t bytes)
{
    if (bytes <= *capacity_bytes)
        return true;
    size_t capacity = *capacity_bytes ? *capacity_bytes : 4096;
    while (capacity < bytes)
        capacity *= 2;
    void *grown = map(capacity, 0);
    if (!grown)
        return false;
    memory_unmap(*memory, *capacity_bytes);
    *memory = grown;
    *capacity_bytes = capacity;
    return true;
}
