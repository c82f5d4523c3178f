/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding the real MPI functions and the library's code.
 */
#include "resolve.h"

#include "functions.h"
#include "mpi_traits.h"
#include "process.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_RANGE_CAPACITY = 128 };

/* Code of one loaded object of the MPI library. */
struct code_range {
    uintptr_t start;
    uintptr_t end;
};

static pthread_mutex_t resolve_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool resolved;

static struct code_range code_ranges[CODE_RANGE_CAPACITY];
static size_t code_range_count;
static unsigned long long objects_seen; /* dlpi_adds when code_ranges was made */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct object_search {
    const char *symbol;
    void *address;
};

static int search_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    struct object_search *search = context;
    if (!object->dlpi_name || !is_mpi_library(file_name(object->dlpi_name)))
        return 0;
    void *handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        return 0;
    search->address = dlsym(handle, search->symbol);
    dlclose(handle);
    return search->address != NULL;
}

static void *search_caller(const void *caller, const char *symbol)
{
    Dl_info object;
    if (!dladdr(caller, &object) || !object.dli_fname)
        return NULL;
    void *handle = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        return NULL;
    void *address = dlsym(handle, symbol);
    dlclose(handle);
    return address;
}

/* Whether `address` is one of our own wrappers: a search that begins at the caller's object may lead back here. */
static bool is_own(const void *address)
{
    Dl_info found;
    Dl_info own;
    return dladdr(address, &found) && dladdr(&mpilens_process, &own) && found.dli_fbase == own.dli_fbase;
}

static void *find_real(const char *symbol, const void *caller)
{
    void *address = dlsym(RTLD_NEXT, symbol);
    if (!address)
        address = search_caller(caller, symbol);
    if (!address || is_own(address)) {
        struct object_search search = {.symbol = symbol};
        dl_iterate_phdr(search_object, &search);
        address = search.address;
    }
    return address && !is_own(address) ? address : NULL;
}

/* The program's copy of a data symbol comes before the library's. */
static void find_globals(const void *caller)
{
    for (const struct predefined_global *global = mpilens__predefined_globals; global->symbol; global++) {
        *global->address = dlsym(RTLD_DEFAULT, global->symbol);
        if (!*global->address)
            *global->address = find_real(global->symbol, caller);
    }
}

bool resolve_functions(const void *caller)
{
    if (__atomic_load_n(&resolved, __ATOMIC_ACQUIRE))
        return true;
    pthread_mutex_lock(&resolve_mutex);
    bool found = resolved;
    if (!found) {
        for (uint32_t function = 1; function < FUNCTION_COUNT; function++) {
            char symbol[64];
            snprintf(symbol, sizeof symbol, "P%s", mpilens__functions[function].name);
            void *address = find_real(symbol, caller);
            if (!address)
                continue;
            found = true;
            memcpy(mpilens__real_pointers[function], &address, sizeof address);
        }
        find_globals(caller);
        __atomic_store_n(&resolved, found, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&resolve_mutex);
    return found;
}

void resolve_missing(uint32_t function)
{
    fprintf(stderr, "mpilens: the program calls %s, which the MPI library in this process does not have\n",
            mpilens__functions[function].name);
    abort();
}

static int note_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)context;
    if (size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof object->dlpi_adds)
        objects_seen = object->dlpi_adds;
    if (!object->dlpi_name || !is_mpi_library(file_name(object->dlpi_name)))
        return 0;
    for (int i = 0; i < object->dlpi_phnum && code_range_count < CODE_RANGE_CAPACITY; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
            continue;
        uintptr_t start = object->dlpi_addr + header->p_vaddr;
        code_ranges[code_range_count++] = (struct code_range){start, start + header->p_memsz};
    }
    return 0;
}

static int note_object_count(struct dl_phdr_info *object, size_t size, void *context)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof object->dlpi_adds)
        *(unsigned long long *)context = object->dlpi_adds;
    return 1;
}

bool caller_is_mpi_library(const void *caller)
{
    pthread_mutex_lock(&resolve_mutex);
    unsigned long long objects = 0;
    dl_iterate_phdr(note_object_count, &objects);
    if (code_range_count == 0 || objects != objects_seen) {
        code_range_count = 0;
        dl_iterate_phdr(note_object, NULL);
    }
    bool inside = false;
    for (size_t i = 0; i < code_range_count && !inside; i++)
        inside = (uintptr_t)caller >= code_ranges[i].start && (uintptr_t)caller < code_ranges[i].end;
    pthread_mutex_unlock(&resolve_mutex);
    return inside;
}
