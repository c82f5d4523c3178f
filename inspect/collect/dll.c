/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads libmpilens_dll.so and its entry points.
 */

#include "base/base.h"
#include "collect/collect_internal.h"

#include <dlfcn.h>
#include <stdlib.h>

struct entry_point {
    const char *name;
    void **address; /* of the member */
};

/* Callbacks of which each is another debugger for the DLL, although they are the same functions. */
struct callbacks {
    mqs_basic_callbacks table;
    unsigned left;
    struct callbacks *before;
};

static struct callbacks *callbacks;

void dll_keep_apart(const struct dll *dll)
{
    const unsigned left = blocked_read_count_left();
    if (left == (callbacks != NULL ? callbacks->left : 0))
        return;
    struct callbacks *next = allocate(sizeof *next);
    *next = (struct callbacks){debugger_basic_callbacks, left, callbacks};
    callbacks = next;
    dll->mqs_setup_basic_callbacks(&callbacks->table);
}

static int load(const char *path, struct dll *dll, struct reason *ret_reason)
{
    dll->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (dll->library == NULL)
        return reason_set(ret_reason, "cannot load the debugger library: %s", dlerror());
    const struct entry_point entry_points[] = {
#define DLL_ENTRY_POINT(function) {#function, (void **)&dll->function},
        DLL_FUNCTIONS(DLL_ENTRY_POINT) DLL_HANDLE_FUNCTIONS(DLL_ENTRY_POINT)
#undef DLL_ENTRY_POINT
    };
    for (size_t i = 0; i < sizeof entry_points / sizeof *entry_points; i++) {
        *entry_points[i].address = dlsym(dll->library, entry_points[i].name);
        if (*entry_points[i].address == NULL)
            return reason_set(ret_reason, "%s has no %s: it is of another version of mpilens", path,
                              entry_points[i].name);
    }
    if (dll->mqs_version_compatibility() != MQS_INTERFACE_COMPATIBILITY ||
        dll->mqs_dll_taddr_width() != (int)sizeof(mqs_taddr_t) ||
        dll->mpilens_extension_version() != MPILENS_EXTENSION_VERSION)
        return reason_set(ret_reason, "%s is of another version of mpilens", path);
    dll->mqs_setup_basic_callbacks(&debugger_basic_callbacks);
    return 0;
}

int dll_open(const char *path, struct dll *ret_dll, struct reason *ret_reason)
{
    char *found = path != NULL ? copy_text(path) : installation_find("libmpilens_dll.so", "dll", ret_reason);
    if (found == NULL)
        return -1;
    struct dll dll = {0};
    const int result = load(found, &dll, ret_reason);
    free(found);
    if (result != 0)
        dll_close(&dll);
    else
        *ret_dll = dll;
    return result;
}

void dll_close(struct dll *dll)
{
    if (dll->library != NULL)
        dlclose(dll->library);
    *dll = (struct dll){0};
}
