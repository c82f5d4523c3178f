/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks up a loaded object in the dynamic linker's own index (_dl_find_object).
 */
#include "loader/loader.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#ifdef DLFO_STRUCT_HAS_EH_DBASE
/* Looked for by name, so that this library loads where there is none. NULL: there is none, or no map yet. */
static int (*find_object)(void *, struct dl_find_object *);

void loader_index_find(void)
{
    void *address = next_dlsym(RTLD_DEFAULT, "_dl_find_object");
    memcpy(&find_object, &address, sizeof find_object);
}

bool loader_index_exists(void)
{
    return find_object != NULL;
}

const char *loader_index_name(uintptr_t address, uintptr_t *ret_start)
{
    struct dl_find_object found;
    if (find_object((void *)address, &found) != 0) // NOLINT(performance-no-int-to-ptr)
        return NULL;
    *ret_start = (uintptr_t)found.dlfo_map_start;
    return found.dlfo_link_map->l_name;
}
#else
void loader_index_find(void) {}

bool loader_index_exists(void)
{
    return false;
}

const char *loader_index_name(uintptr_t address, uintptr_t *ret_start)
{
    (void)address;
    (void)ret_start;
    return NULL;
}
#endif
