/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the real MPI functions and the functions of other tools.
 */
#include "loader/loader.h"

#include "memory/memory.h"
#include "mpi/functions.h"
#include "mpi/mpi_traits.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t resolve_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool resolved;

bool mpilens__tools_behind;

/* In the loaded object with this path. */
static void *search_path(const char *path, const char *symbol)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL)
        return NULL;
    void *address = next_dlsym(handle, symbol);
    dlclose(handle);
    return address;
}

struct object_search {
    const char *symbol;
    void *address;
};

static int search_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    struct object_search *search = context;
    if (caller_class_of_path(object->dlpi_name) != CALLER_APPLICATION)
        search->address = search_path(object->dlpi_name, search->symbol);
    return search->address != NULL;
}

static void *search_caller(const void *caller, const char *symbol)
{
    Dl_info object;
    return dladdr(caller, &object) && object.dli_fname != NULL ? search_path(object.dli_fname, symbol) : NULL;
}

/* Whether `address` is in this library: a search that begins at the caller's object may lead back here. */
static bool is_own(const void *address)
{
    return caller_object(address) == caller_object(&mpilens_process);
}

/* The object with `address` stays loaded: addresses in it are kept. */
static void pin(const void *address)
{
    static uintptr_t pinned; /* last: most addresses are in one object */
    const uintptr_t start = caller_object(address);
    Dl_info object;
    if (start == 0 || start == __atomic_load_n(&pinned, __ATOMIC_RELAXED) || !dladdr(address, &object) ||
        object.dli_fname == NULL)
        return;
    void *handle = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (handle != NULL) /* not of the program itself, which stays */
        dlclose(handle);
    __atomic_store_n(&pinned, start, __ATOMIC_RELAXED);
}

void *resolve_symbol(const char *symbol, const void *caller)
{
    struct elf_object library;
    void *address = mpi_library_find(&library) ? search_path(library.path, symbol) : NULL;
    if (address == NULL)
        address = next_dlsym(RTLD_NEXT, symbol);
    if (address == NULL)
        address = search_caller(caller, symbol);
    if (address == NULL || is_own(address)) {
        struct object_search search = {.symbol = symbol};
        dl_iterate_phdr(search_object, &search);
        address = search.address;
    }
    if (address == NULL || is_own(address))
        return NULL;
    pin(address);
    return address;
}

/* The program's copy of a data symbol comes before the library's. */
static void find_globals(const void *caller)
{
    for (const struct predefined_global *global = mpilens__predefined_globals; global->symbol != NULL; global++) {
        if (*global->address != NULL)
            continue;
        *global->address = next_dlsym(RTLD_DEFAULT, global->symbol);
        if (*global->address == NULL)
            *global->address = resolve_symbol(global->symbol, caller);
        else
            pin(*global->address);
    }
}

#ifdef MPILENS_STATIC
/* The linker has bound the functions. */
static const void *find_functions(const void *caller)
{
    (void)caller;
    const void *any;
    memcpy(&any, mpilens__real_pointers[FUNCTION_MPI_Init], sizeof any);
    caller_declare(any, CALLER_MPI_LIBRARY);
    return any;
}

/* Those that the linker has put behind are called as PMPI_x is resolved. */
static void find_tools(void) {}
#else
static void set_function(uint32_t function, void *address)
{
    memcpy(mpilens__real_pointers[function], &address, sizeof address);
    memcpy(mpilens__asked_pointers[function], &address, sizeof address);
    memcpy(mpilens__next_pointers[function], &address, sizeof address);
}

/* Functions that the library of `any` has as MPI_x only: MPICH 5.0 has no PMPI_File_close for the standard ABI. */
static void find_unprofiled(const void *any, const bool *has)
{
    struct elf_object library;
    if (!elf_object_at(any, &library))
        return;
    for (uint32_t function = 1; function < FUNCTION_COUNT; function++) {
        void *address = has[function] ? NULL : elf_object_function(&library, mpilens__functions[function].name);
        if (address != NULL)
            set_function(function, address);
    }
}

/* Those whose names begin with `prefix`. Returns one of them, or NULL: there is none. */
static const void *find_functions_as(const char *prefix, const void *caller)
{
    const void *any = NULL;
    bool library_is_known = false;
    bool has[FUNCTION_COUNT] = {false};
    for (uint32_t function = 1; function < FUNCTION_COUNT; function++) {
        char symbol[64];
        snprintf(symbol, sizeof symbol, "%s%s", prefix, mpilens__functions[function].name);
        void *address = resolve_symbol(symbol, caller);
        if (address == NULL)
            continue;
        any = address;
        library_is_known = library_is_known || caller_classify(address) == CALLER_MPI_LIBRARY;
        set_function(function, address);
        has[function] = true;
    }
    if (any != NULL && !library_is_known)
        caller_declare(any, CALLER_MPI_LIBRARY);
    if (any != NULL)
        find_unprofiled(any, has);
    return any;
}

/* Returns one of the library's functions, or NULL: there is none. One that passes calls on, to a library that it loads
 * only when MPI is initialized, may have no PMPI_x. */
static const void *find_functions(const void *caller)
{
    const void *any = find_functions_as("P", caller);
    return any != NULL ? any : find_functions_as("", caller);
}

/* Other tools whose turn comes after this one: MPI_x is theirs where they have it, and they call PMPI_x. Two that have
 * the same function are the link order's affair: the first one is called, as without this library. */
static void find_tools(void)
{
    for (uint32_t function = 1; function < FUNCTION_COUNT; function++) {
        void *address = next_dlsym(RTLD_NEXT, mpilens__functions[function].name);
        if (address == NULL || mpilens__forwards[function] == NULL || is_own(address))
            continue;
        enum caller_class class = caller_classify(address);
        if (class != CALLER_APPLICATION && class != CALLER_TOOL)
            continue;
        pin(address);
        caller_declare(address, CALLER_TOOL);
        memcpy(mpilens__tool_pointers[function], &address, sizeof address);
        memcpy(mpilens__next_pointers[function], &mpilens__forwards[function], sizeof address);
        mpilens__tools_behind = true;
    }
}
#endif

/* Receives and probes look at messages that were taken out first, where `mpilens run --unexpected=exact` has started
 * the program. */
static void look_at_taken_messages(void)
{
    const char *wanted = getenv("MPILENS_UNEXPECTED");
    if (wanted == NULL || strcmp(wanted, "exact") != 0)
        return;
    mpilens__library = mpilens__real;
    for (uint32_t function = 1; function < FUNCTION_COUNT; function++) {
        if (mpilens__exact[function] == NULL)
            continue;
        if (memcmp(mpilens__next_pointers[function], mpilens__real_pointers[function], sizeof(void *)) == 0)
            memcpy(mpilens__next_pointers[function], &mpilens__exact[function], sizeof(void *));
        memcpy(mpilens__real_pointers[function], &mpilens__exact[function], sizeof(void *));
        memcpy(mpilens__asked_pointers[function], &mpilens__exact[function], sizeof(void *));
    }
}

/* Standard sends become synchronous ones, where `mpilens run --synchronous` has started the program. */
static void make_sends_synchronous(void)
{
    const char *wanted = getenv("MPILENS_SYNCHRONOUS");
    if (wanted == NULL || wanted[0] == '\0' || strcmp(wanted, "0") == 0)
        return;
    for (uint32_t function = 1; function < FUNCTION_COUNT; function++)
        if (mpilens__synchronous[function] != NULL)
            memcpy(mpilens__next_pointers[function], &mpilens__synchronous[function], sizeof(void *));
    mpilens_process.synchronous_sends = 1;
}

bool resolve_functions(const void *caller)
{
    if (__atomic_load_n(&resolved, __ATOMIC_ACQUIRE))
        return true;
    pthread_mutex_lock(&resolve_mutex);
    bool found = resolved;
    if (!found) {
        const void *any = find_functions(caller);
        found = any != NULL;
        if (found) {
            mpi_library_settle(any);
            find_tools();
            look_at_taken_messages();
            make_sends_synchronous();
        }
        find_globals(caller);
        __atomic_store_n(&resolved, found, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&resolve_mutex);
    return found;
}

void resolve_constants(const void *caller)
{
    pthread_mutex_lock(&resolve_mutex);
    find_globals(caller);
    pthread_mutex_unlock(&resolve_mutex);
}

void resolve_missing(uint32_t function)
{
    fprintf(stderr, "mpilens: the program calls %s, which the MPI library in this process does not have\n",
            mpilens__functions[function].name);
    abort();
}
