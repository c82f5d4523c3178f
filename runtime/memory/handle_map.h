/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a handle to the record of the object that it names now. One map per kind of object and process; behind the
 * threads' caches, so it may lock.
 */
#ifndef MPILENS_RUNTIME_MEMORY_HANDLE_MAP_H
#define MPILENS_RUNTIME_MEMORY_HANDLE_MAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct handle_map_slot {
    uint64_t handle;
    void *record; /* NULL: free slot */
};

struct handle_map {
    pthread_mutex_t mutex;
    struct handle_map_slot *slots;
    uint64_t mask;
    uint64_t count;
};

#define HANDLE_MAP_INITIALIZER                                                                                         \
    {                                                                                                                  \
        .mutex = PTHREAD_MUTEX_INITIALIZER                                                                             \
    }

/* NULL: none. */
void *handle_map_find(struct handle_map *map, uint64_t handle);

/* The handle names `record` from now on. False: no memory. */
bool handle_map_set(struct handle_map *map, uint64_t handle, void *record);

/* The handle names nothing any more, if it still names `record`; then true. */
bool handle_map_remove(struct handle_map *map, uint64_t handle, const void *record);

/* It names nothing any more, and takes no memory. */
void handle_map_clear(struct handle_map *map);

#endif
