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
#include <unistd.h>

enum { DECLARED_CAPACITY = 8, MAP_GENERATIONS = 8, FIRST_CAPACITY = 62, RECENT_CAPACITY = 8 };

/* The loader's counts of its actions so far. */
struct loader_counts {
    unsigned long long loaded;
    unsigned long long unloaded;
};

/* A part of an object: where pages are smaller than its segments are apart, other memory may lie between two. */
struct code_part {
    uintptr_t start;
    uintptr_t end;
    uintptr_t object; /* where its first part starts */
    enum caller_class caller_class;
    bool may_leave; /* it is worth asking whether this is still so */
};

struct code_map {
    struct loader_counts counts;
    uint64_t serial; /* no other map had or will have it */
    size_t count;
    size_t capacity;
    struct code_part parts[]; /* by address */
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

static void add_part(struct code_map *map, struct code_part added)
{
    size_t place = map->count++;
    for (; place > 0 && map->parts[place - 1].start > added.start; place--)
        map->parts[place] = map->parts[place - 1];
    map->parts[place] = added;
}

/* The object's class, where it starts, and whether it may leave. */
static struct code_part describe_object(const struct dl_phdr_info *object)
{
    struct code_part whole = {.start = UINTPTR_MAX};
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        uintptr_t start = object->dlpi_addr + header->p_vaddr;
        if (start < whole.start)
            whole.start = start;
        if (start + header->p_memsz > whole.end)
            whole.end = start + header->p_memsz;
    }
    const char *name = file_name(object->dlpi_name);
    /* A function of the library that ends with a jump to another one seems to call it from the first one's wrapper. */
    const uintptr_t own_code = (uintptr_t)caller_classify;
    const bool is_runtime = *name != '\0' && own_code >= whole.start && own_code < whole.end;
    if (is_runtime)
        whole.caller_class = CALLER_MPI_LIBRARY;
    else if (!find_declared(whole.start, &whole.caller_class)) {
        whole.caller_class = caller_class_of_path(object->dlpi_name);
        whole.may_leave = whole.caller_class == CALLER_APPLICATION ? *name != '\0' : is_mpi_component(name);
    }
    whole.object = whole.start;
    return whole;
}

struct map_making {
    struct code_map *map;
    size_t found;
    uintptr_t page;
};

static void found_part(struct map_making *making, struct code_part part)
{
    if (part.start < part.end && making->found++ < making->map->capacity)
        add_part(making->map, part);
}

static int note_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct map_making *making = context;
    struct code_part part = describe_object(object);
    making->map->counts = counts_of(object, size);
    part.end = part.start;
    for (int i = 0; i < object->dlpi_phnum; i++) { /* by address */
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        const uintptr_t start = object->dlpi_addr + header->p_vaddr;
        if (start / making->page > (part.end + making->page - 1) / making->page) {
            found_part(making, part);
            part.start = start;
        }
        part.end = start + header->p_memsz;
    }
    found_part(making, part);
    return 0;
}

/* The map whose turn it is, with room for `capacity` parts. NULL: no memory. */
static struct code_map *take_map(size_t capacity)
{
    struct code_map **place = &maps[generation % MAP_GENERATIONS];
    if (*place == NULL || (*place)->capacity < capacity) {
        struct code_map *map = memory_map(sizeof *map + capacity * sizeof map->parts[0]);
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
        struct map_making making = {.map = take_map(capacity), .page = (uintptr_t)sysconf(_SC_PAGESIZE)};
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

static const struct code_part *search(const struct code_map *map, uintptr_t address)
{
    size_t low = 0;
    size_t high = map->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (map->parts[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < map->parts[low - 1].end ? &map->parts[low - 1] : NULL;
}

static bool is_still_there(const struct code_map *map, const struct code_part *part, uintptr_t address)
{
    if (!part->may_leave)
        return true;
    if (!loader_index_exists())
        return !counts_have_changed(map);
    uintptr_t start = 0;
    const char *path = loader_index_name(address, &start);
    return path != NULL && start == part->object && caller_class_of_path(path) == part->caller_class;
}

/* The part of an object that has `address`; one with no extent: there is none. */
static struct code_part find(uintptr_t address)
{
    const struct code_map *map = __atomic_load_n(&current_map, __ATOMIC_ACQUIRE);
    const struct code_part *part = map != NULL ? search(map, address) : NULL;
    if (part != NULL && is_still_there(map, part, address))
        return *part;
    struct code_part found = {.caller_class = CALLER_APPLICATION};
    pthread_mutex_lock(&map_mutex);
    if (current_map == NULL || counts_have_changed(current_map))
        make_map();
    part = current_map != NULL ? search(current_map, address) : NULL;
    if (part != NULL)
        found = *part;
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
    const struct code_part part = find(address);
    if (part.end != 0 && !part.may_leave)
        *place = (struct recent_caller){caller, serial, part.caller_class};
    return part.caller_class;
}

uintptr_t caller_object(const void *address)
{
    return find((uintptr_t)address).object;
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
