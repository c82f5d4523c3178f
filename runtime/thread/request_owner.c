/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A hint is one word: a part of a hash of the request, and the index of the thread. The hash says in which row it
 * stands; in a full row a new hint takes the place of an old one.
 */
#include "thread/thread_internal.h"

#include "memory/memory.h"

#include <pthread.h>

enum {
    INDEX_BITS = 24,
    ROW_BITS = 3,
    ROW_WORDS = 1 << ROW_BITS, /* a cache line */
    INITIAL_ROWS = 128,
    WORDS_FOR_EACH = 2 /* record for an operation */
};

#define INDEX_MASK ((UINT64_C(1) << INDEX_BITS) - 1)

struct row {
    uint64_t words[ROW_WORDS]; /* 0: none; else the index is one too large */
};

struct hints {
    uint64_t mask; /* number of rows - 1 */
    struct row rows[] __attribute__((aligned(64)));
};

static pthread_mutex_t growth_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct hints *hints; /* NULL: no memory, or nobody has asked for them */
static int64_t expected;    /* records for operations */

static uint64_t hash_of(uint64_t request)
{
    return request * UINT64_C(0x9e3779b97f4a7c15) & ~INDEX_MASK;
}

/* The place for the hint with this hash: its own, else a free one, else an older hint's. */
static uint64_t *place_for(struct hints *among, uint64_t hash)
{
    uint64_t *words = among->rows[(hash >> INDEX_BITS) & among->mask].words;
    uint64_t home = hash >> (64 - ROW_BITS);
    for (uint64_t i = 0; i < ROW_WORDS; i++) {
        uint64_t *place = &words[(home + i) % ROW_WORDS];
        uint64_t word = __atomic_load_n(place, __ATOMIC_RELAXED);
        if (word == 0 || (word ^ hash) <= INDEX_MASK)
            return place;
    }
    return &words[home];
}

/* Threads may overwrite each other's hints where they find the same place. */
static void put(struct hints *among, uint64_t hint)
{
    uint64_t *place = place_for(among, hint & ~INDEX_MASK);
    if (__atomic_load_n(place, __ATOMIC_RELAXED) != hint) /* a thread mostly gets its own handles again */
        __atomic_store_n(place, hint, __ATOMIC_RELAXED);
}

/* Stores of other threads to the old hints may get lost meanwhile. The old hints stay: others may be reading them. */
static void grow(uint64_t rows)
{
    struct hints *new = memory_map(sizeof *new + rows * sizeof new->rows[0]);
    if (new == NULL)
        return;
    new->mask = rows - 1;
    for (uint64_t i = 0; hints != NULL && i < (hints->mask + 1) * ROW_WORDS; i++) {
        uint64_t hint = __atomic_load_n(&hints->rows[i / ROW_WORDS].words[i % ROW_WORDS], __ATOMIC_RELAXED);
        if (hint != 0)
            put(new, hint);
    }
    __atomic_store_n(&hints, new, __ATOMIC_RELEASE);
}

static void make_room(void)
{
    int64_t words = __atomic_load_n(&expected, __ATOMIC_RELAXED) * WORDS_FOR_EACH;
    uint64_t present = hints != NULL ? hints->mask + 1 : 0;
    uint64_t rows = hints != NULL ? present : INITIAL_ROWS;
    while ((int64_t)(rows * ROW_WORDS) < words)
        rows *= 2;
    if (rows > present)
        grow(rows);
}

void request_owners_keep(void)
{
    pthread_mutex_lock(&growth_mutex);
    make_room();
    pthread_mutex_unlock(&growth_mutex);
}

void request_owners_expect(int64_t more)
{
    __atomic_fetch_add(&expected, more, __ATOMIC_RELAXED);
    if (more > 0 && __atomic_load_n(&hints, __ATOMIC_RELAXED) != NULL)
        request_owners_keep();
}

void request_owner_note(uint64_t request, uint32_t index)
{
    struct hints *current = __atomic_load_n(&hints, __ATOMIC_ACQUIRE);
    if (current != NULL)
        put(current, hash_of(request) | (index + UINT64_C(1)));
}

struct thread *request_owner(uint64_t request)
{
    struct hints *current = __atomic_load_n(&hints, __ATOMIC_ACQUIRE);
    if (current == NULL)
        return NULL;
    uint64_t hash = hash_of(request);
    uint64_t hint = __atomic_load_n(place_for(current, hash), __ATOMIC_RELAXED);
    if (hint == 0 || (hint ^ hash) > INDEX_MASK)
        return NULL;
    return thread_at((uint32_t)(hint & INDEX_MASK) - 1);
}
