/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The map of loaded objects: arrays that do not change once they are published, looked through without a lock. If the
 * newest map does not know an address and the loader has changed anything since, a new map is made.
 *
 * Objects come and go: an address may lie in another object than the map says. That matters where one of them is a
 * component of the MPI library and the other one of the application, for only these are unloaded and loaded in the
 * middle; so hits in such objects are compared with the loader's own index (also free of locks), or, where this libc
 * has none, with its counts of loaded and unloaded objects. An object at another's former address may even have its
 * record in the loader: only the name differs.
 */
#include "loader/loader.h"

#include "memory/memory.h"
#include "mpi/mpi_traits.h"

#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { DECLARED_CAPACITY = 8, MAP_GENERATIONS = 8, FIRST_CAPACITY = 62, RECENT_CAPACITY = 8 };

/* The loader's counts of its actions so far. */
struct loader_counts {
    unsigned long long loaded;
    unsigned long long unloaded;
};

struct code_object {
    uintptr_t start;
    uintptr_t end;
    enum caller_class caller_class;
    bool may_leave; /* it is worth asking whether this is still so */
};

struct code_map {
    struct loader_counts counts;
    uint64_t serial; /* no other map had or will have it */
    size_t count;
    size_t capacity;
    struct code_object objects[]; /* by address */
};

static struct code_map *current_map;

/* Readers may still use older maps for a moment: a map is rewritten only after MAP_GENERATIONS newer ones. */
static struct code_map *maps[MAP_GENERATIONS];
static uint64_t generation;

/* Programs make many calls from few places: remembers the thread's recent finds in a map, for objects that stay
 * loaded. */
struct recent_caller {
    const void *caller;
    uint64_t serial; /* of the map; 0: nothing */
    enum caller_class caller_class;
};

static __thread struct recent_caller recent[RECENT_CAPACITY];

static struct {
    uintptr_t start;
    enum caller_class caller_class;
} declared[DECLARED_CAPACITY];
static size_t declared_count;

static pthread_mutex_t map_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct loader_counts counts_of(const struct dl_phdr_info *object, size_t size)
{
    struct loader_counts counts = {0, 0};
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof object->dlpi_subs)
        counts = (struct loader_counts){object->dlpi_adds, object->dlpi_subs};
    return counts;
}

static int note_counts(struct dl_phdr_info *object, size_t size, void *context)
{
    *(struct loader_counts *)context = counts_of(object, size);
    return 1;
}

static bool counts_have_changed(const struct code_map *map)
{
    struct loader_counts counts = {0, 0};
    dl_iterate_phdr(note_counts, &counts);
    return counts.loaded != map->counts.loaded || counts.unloaded != map->counts.unloaded || counts.loaded == 0;
}

static const char *file_name(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path != NULL ? path : "";
}

enum caller_class caller_class_of_path(const char *path)
{
    const char *name = file_name(path);
    if (is_mpi_library(name))
        return CALLER_MPI_LIBRARY;
    return is_fortran_binding(name) ? CALLER_FORTRAN_BINDING : CALLER_APPLICATION;
}

/* Under the mutex. False: it has not been declared. */
static bool find_declared(uintptr_t start, enum caller_class *ret_class)
{
    for (size_t i = 0; i < declared_count; i++)
        if (declared[i].start == start) {
            *ret_class = declared[i].caller_class;
            return true;
        }
    return false;
}

/* Only with room in the map for one more. */
static void add_object(struct code_map *map, const struct dl_phdr_info *object)
{
    struct code_object added = {.start = UINTPTR_MAX};
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        uintptr_t start = object->dlpi_addr + header->p_vaddr;
        if (start < added.start)
            added.start = start;
        if (start + header->p_memsz > added.end)
            added.end = start + header->p_memsz;
    }
    if (added.start >= added.end)
        return;
    const char *name = file_name(object->dlpi_name);
    /* A function of the library that ends with a jump to another one seems to call it from the first one's wrapper. */
    const uintptr_t own_code = (uintptr_t)caller_classify;
    const bool is_runtime = *name != '\0' && own_code >= added.start && own_code < added.end;
    if (is_runtime)
        added.caller_class = CALLER_MPI_LIBRARY;
    else if (!find_declared(added.start, &added.caller_class)) {
        added.caller_class = caller_class_of_path(object->dlpi_name);
        added.may_leave = added.caller_class == CALLER_APPLICATION ? *name != '\0' : is_mpi_component(name);
    }
    size_t place = map->count++;
    for (; place > 0 && map->objects[place - 1].start > added.start; place--)
        map->objects[place] = map->objects[place - 1];
    map->objects[place] = added;
}

struct map_making {
    struct code_map *map;
    size_t found;
};

static int note_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct map_making *making = context;
    making->map->counts = counts_of(object, size);
    if (making->found++ < making->map->capacity)
        add_object(making->map, object);
    return 0;
}

/* The map whose turn it is, with room for `capacity` objects. NULL: no memory. */
static struct code_map *take_map(size_t capacity)
{
    struct code_map **place = &maps[generation % MAP_GENERATIONS];
    if (*place == NULL || (*place)->capacity < capacity) {
        struct code_map *map = memory_map(sizeof *map + capacity * sizeof map->objects[0]);
        if (map == NULL)
            return NULL;
        map->capacity = capacity;
        *place = map;
    }
    (*place)->count = 0;
    return *place;
}

/* Under the mutex. False: no memory, and the map stays as it is. */
static bool make_map(void)
{
    const struct code_map *old = current_map;
    if (old == NULL)
        loader_index_find();
    for (size_t capacity = old != NULL ? old->capacity : FIRST_CAPACITY;; capacity = 2 * capacity + 2) {
        struct map_making making = {.map = take_map(capacity)};
        if (making.map == NULL)
            return false;
        dl_iterate_phdr(note_object, &making);
        if (making.found > making.map->capacity)
            continue;
        __atomic_store_n(&making.map->serial, ++generation, __ATOMIC_RELAXED);
        __atomic_store_n(&current_map, making.map, __ATOMIC_RELEASE);
        return true;
    }
}

static const struct code_object *search(const struct code_map *map, uintptr_t address)
{
    size_t low = 0;
    size_t high = map->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (map->objects[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < map->objects[low - 1].end ? &map->objects[low - 1] : NULL;
}

static bool is_still_there(const struct code_map *map, const struct code_object *object, uintptr_t address)
{
    if (!object->may_leave)
        return true;
    if (!loader_index_exists())
        return !counts_have_changed(map);
    uintptr_t start = 0;
    const char *path = loader_index_name(address, &start);
    return path != NULL && start == object->start && caller_class_of_path(path) == object->caller_class;
}

/* The object that has `address`; one with no extent: there is none. */
static struct code_object find(uintptr_t address)
{
    const struct code_map *map = __atomic_load_n(&current_map, __ATOMIC_ACQUIRE);
    const struct code_object *object = map != NULL ? search(map, address) : NULL;
    if (object != NULL && is_still_there(map, object, address))
        return *object;
    struct code_object found = {.caller_class = CALLER_APPLICATION};
    pthread_mutex_lock(&map_mutex);
    if (current_map == NULL || counts_have_changed(current_map))
        make_map();
    object = current_map != NULL ? search(current_map, address) : NULL;
    if (object != NULL)
        found = *object;
    pthread_mutex_unlock(&map_mutex);
    return found;
}

enum caller_class caller_classify(const void *caller)
{
    const struct code_map *map = __atomic_load_n(&current_map, __ATOMIC_ACQUIRE);
    uint64_t serial = map != NULL ? __atomic_load_n(&map->serial, __ATOMIC_RELAXED) : 0;
    uintptr_t address = (uintptr_t)caller;
    struct recent_caller *place = &recent[(address ^ (address >> 4)) % RECENT_CAPACITY];
    if (place->caller == caller && place->serial == serial && serial != 0)
        return place->caller_class;
    const struct code_object object = find(address);
    if (object.end != 0 && !object.may_leave)
        *place = (struct recent_caller){caller, serial, object.caller_class};
    return object.caller_class;
}

uintptr_t caller_object(const void *address)
{
    return find((uintptr_t)address).start;
}

void caller_declare(const void *address, enum caller_class caller_class)
{
    uintptr_t start = caller_object(address);
    pthread_mutex_lock(&map_mutex);
    enum caller_class known;
    if (start != 0 && declared_count < DECLARED_CAPACITY && !find_declared(start, &known)) {
        declared[declared_count].start = start;
        declared[declared_count++].caller_class = caller_class;
        make_map();
    }
    pthread_mutex_unlock(&map_mutex);
}
