/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two maps: the younger one has the keys used since it was begun, the older one the keys used before. A full younger
 * map becomes the older one.
 */
#include "objects/objects_internal.h"

#include "memory/memory.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct handle_map maps[2] = {HANDLE_MAP_INITIALIZER, HANDLE_MAP_INITIALIZER};
static int younger;

uint64_t key_count(uint64_t key)
{
    pthread_mutex_lock(&mutex);
    void *calls = handle_map_find(&maps[younger], key);
    if (calls == NULL) {
        calls = handle_map_find(&maps[1 - younger], key);
        if (maps[younger].count == KEY_COUNTS_KEPT) {
            younger = 1 - younger;
            handle_map_clear(&maps[younger]);
        }
    }
    uint64_t count = (uint64_t)(uintptr_t)calls + 1;
    handle_map_set(&maps[younger], key, (void *)(uintptr_t)count);
    pthread_mutex_unlock(&mutex);
    return count;
}
