/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handle maps: linear probing, removal by moving back, growth by doubling.
 */
#include "memory/memory.h"

enum { INITIAL_CAPACITY = 256 };

static uint64_t home_of(const struct handle_map *map, uint64_t handle)
{
    return ((handle * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & map->mask;
}

static struct handle_map_slot *slot_of(const struct handle_map *map, uint64_t handle)
{
    uint64_t index = home_of(map, handle);
    while (map->slots[index].record != NULL && map->slots[index].handle != handle)
        index = (index + 1) & map->mask;
    return &map->slots[index];
}

void *handle_map_find(struct handle_map *map, uint64_t handle)
{
    pthread_mutex_lock(&map->mutex);
    void *record = map->slots != NULL ? slot_of(map, handle)->record : NULL;
    pthread_mutex_unlock(&map->mutex);
    return record;
}

static bool map_grow(struct handle_map *map)
{
    struct handle_map_slot *old = map->slots;
    uint64_t old_capacity = old != NULL ? map->mask + 1 : 0;
    uint64_t capacity = old != NULL ? old_capacity * 2 : INITIAL_CAPACITY;
    struct handle_map_slot *slots = memory_map(capacity * sizeof *slots);
    if (slots == NULL)
        return false;
    map->slots = slots;
    map->mask = capacity - 1;
    for (uint64_t i = 0; i < old_capacity; i++)
        if (old[i].record != NULL)
            *slot_of(map, old[i].handle) = old[i];
    memory_unmap(old, old_capacity * sizeof *old);
    return true;
}

bool handle_map_set(struct handle_map *map, uint64_t handle, void *record)
{
    pthread_mutex_lock(&map->mutex);
    bool room = (map->slots != NULL && map->count * 2 <= map->mask) || map_grow(map);
    if (room) {
        struct handle_map_slot *slot = slot_of(map, handle);
        if (slot->record == NULL)
            map->count++;
        *slot = (struct handle_map_slot){handle, record};
    }
    pthread_mutex_unlock(&map->mutex);
    return room;
}

bool handle_map_remove(struct handle_map *map, uint64_t handle, const void *record)
{
    pthread_mutex_lock(&map->mutex);
    struct handle_map_slot *slot = map->slots != NULL ? slot_of(map, handle) : NULL;
    bool names_it = slot != NULL && slot->record != NULL && slot->record == record;
    if (names_it) {
        uint64_t hole = (uint64_t)(slot - map->slots);
        for (uint64_t index = (hole + 1) & map->mask; map->slots[index].record != NULL; index = (index + 1) & map->mask)
            if (((index - home_of(map, map->slots[index].handle)) & map->mask) >= ((index - hole) & map->mask)) {
                map->slots[hole] = map->slots[index];
                hole = index;
            }
        map->slots[hole].record = NULL;
        map->count--;
    }
    pthread_mutex_unlock(&map->mutex);
    return names_it;
}

void handle_map_clear(struct handle_map *map)
{
    pthread_mutex_lock(&map->mutex);
    memory_unmap(map->slots, map->slots != NULL ? (map->mask + 1) * sizeof *map->slots : 0);
    map->slots = NULL;
    map->mask = map->count = 0;
    pthread_mutex_unlock(&map->mutex);
}
