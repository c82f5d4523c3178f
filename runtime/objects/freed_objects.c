/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps what others may still ask about a freed object, in a ring.
 */
#include "objects/objects_internal.h"

#include "memory/memory.h"
#include "mpi/mpi_traits.h"

#include <pthread.h>
#include <string.h>

static struct mpilens_freed_object *ring; /* [MPILENS_FREED_COUNT] */
static pthread_mutex_t ring_mutex = PTHREAD_MUTEX_INITIALIZER;

/* The call before the last one, which frees. */
static const struct mpilens_collective *last_before(const struct freed_object *object)
{
    static const struct mpilens_collective none;
    const bool is_counted = object->function != 0;
    const uint64_t last = object->collective_count - (is_counted && object->collective_count > 0 ? 1 : 0);
    const struct mpilens_collective *call = last > 0 ? &object->recent[(last - 1) % RECENT_COLLECTIVES] : &none;
    return last > 0 && call->serial == last ? call : &none;
}

/* The mutex is held. False: no memory. */
static bool have_ring(void)
{
    const size_t bytes = MPILENS_FREED_COUNT * sizeof *ring;
    if (ring == NULL && (ring = block_take(bytes)) != NULL)
        memset(ring, 0, bytes);
    return ring != NULL;
}

void freed_objects_note_shared(const struct freed_object *object)
{
    const struct mpilens_collective *last = last_before(object);
    pthread_mutex_lock(&ring_mutex);
    if (!have_ring()) {
        pthread_mutex_unlock(&ring_mutex);
        return;
    }
    const uint64_t serial = ++mpilens_process.freed_count;
    struct mpilens_freed_object *place = &ring[(serial - 1) % MPILENS_FREED_COUNT];
    __atomic_store_n(&place->serial, 0, __ATOMIC_RELAXED);
    PUBLISH_BARRIER();
    place->unique_id = object->unique_id;
    place->collective_count = object->collective_count;
    place->freed = clock_ticks();
    place->site = object->site;
    place->last_site = last->site;
    place->function = object->function;
    place->last_function = last->function;
    place->kind = object->kind;
    PUBLISH_BARRIER();
    __atomic_store_n(&place->serial, serial, __ATOMIC_RELAXED);
    __atomic_store_n(&mpilens_process.freed_objects, (uint64_t)(uintptr_t)ring, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&ring_mutex);
}
