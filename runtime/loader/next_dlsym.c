/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the next dlsym. No function can be asked for it: the name dlsym leads to this library, the C library's other
 * names for it (__libc_dlsym, _dl_sym) are gone or private, and dl_iterate_phdr may be another tool's, which calls
 * dlsym. The loader's list of objects (_r_debug, which debuggers read) is there from the beginning.
 */
#include "loader/loader.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#if defined(MPILENS_WRAPS_DLSYM) && MPILENS_WRAPS_DLSYM

dlsym_function *mpilens__next_dlsym;
dlvsym_function *mpilens__next_dlvsym;

extern ElfW(Dyn) own_dynamic[] __asm__("_DYNAMIC") __attribute__((visibility("hidden")));

/* Stands in for dlsym in a process that has none. */
static void *find_nothing(void *handle, const char *name)
{
    (void)handle;
    (void)name;
    return NULL;
}

static void *find_no_version(void *handle, const char *name, const char *version)
{
    (void)version;
    return find_nothing(handle, name);
}

static void *find_behind(const struct link_map *own, const char *name)
{
    for (const struct link_map *object = own; object != NULL; object = object->l_next) {
        const struct elf_object tables = {.base = object->l_addr, .dynamic = object->l_ld, .path = object->l_name};
        void *function = object->l_ld != own_dynamic ? elf_object_function(&tables, name) : NULL;
        if (function != NULL)
            return function;
    }
    return NULL;
}

void mpilens__find_next_dlsym(void)
{
    const struct link_map *own = _r_debug.r_map;
    while (own != NULL && own->l_ld != own_dynamic)
        own = own->l_next;
    if (own == NULL)
        own = _r_debug.r_map;
    void *function = find_behind(own, "dlvsym");
    __atomic_store_n(&mpilens__next_dlvsym, function != NULL ? (dlvsym_function *)(uintptr_t)function : find_no_version,
                     __ATOMIC_RELEASE);
    function = find_behind(own, "dlsym");
    __atomic_store_n(&mpilens__next_dlsym, function != NULL ? (dlsym_function *)(uintptr_t)function : find_nothing,
                     __ATOMIC_RELEASE);
}

void *next_dlsym(void *handle, const char *name)
{
    if (__atomic_load_n(&mpilens__next_dlsym, __ATOMIC_ACQUIRE) == NULL)
        mpilens__find_next_dlsym();
    return mpilens__next_dlsym(handle, name);
}

void *next_dlvsym(void *handle, const char *name, const char *version)
{
    if (__atomic_load_n(&mpilens__next_dlvsym, __ATOMIC_ACQUIRE) == NULL)
        mpilens__find_next_dlsym();
    return mpilens__next_dlvsym(handle, name, version);
}

#else

void *next_dlsym(void *handle, const char *name)
{
    return dlsym(handle, name);
}

#endif
