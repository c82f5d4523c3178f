/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decides which callers of dlsym get a wrapper. The MPI library and its parts do not. A tool, or a library that passes
 * calls on, is called by the wrappers: it gets the next function. If such a library is not called through wrappers, the
 * functions that it looks up get wrappers instead, because its own functions may have any interface.
 */
#include "loader/loader.h"

#include "memory/memory.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* "MPI_Send" of that and of "PMPI_Send"; NULL: a name of Fortran. */
static const char *name_in_c(const char *name)
{
    const char *plain = name[0] == 'P' ? name + 1 : name;
    return strncmp(plain, "MPI_", 4) == 0 ? plain : NULL;
}

/* A Fortran binding belongs to the MPI library that the same handle leads to. */
static bool find_library(void *handle, const struct elf_object *object, const void *address,
                         struct elf_object *ret_library)
{
    if (caller_classify(address) != CALLER_FORTRAN_BINDING) {
        *ret_library = *object;
        return true;
    }
    const void *initialize = next_dlsym(handle, "MPI_Init");
    if (initialize == NULL)
        dlerror();
    return initialize != NULL && elf_object_at(initialize, ret_library);
}

/* Whether the wrapper of `name` calls the object at `caller` as another tool. */
static bool is_next(const struct elf_object *caller, const char *name)
{
    struct elf_object next;
    const void *function = next_dlsym(RTLD_NEXT, name);
    if (function == NULL)
        dlerror();
    return function != NULL && elf_object_at(function, &next) && next.base == caller->base;
}

/* Whether a library, not the program, with the function `name` of MPI asks, so that it is a layer above another one. */
static bool is_layer(const void *caller, const char *name, struct elf_object *ret_layer)
{
    return name != NULL && elf_object_at(caller, ret_layer) && ret_layer->path[0] != '\0' &&
           elf_object_defines(ret_layer, name);
}

static bool may_have_wrapper(const void *caller, const char *name)
{
    struct elf_object layer;
    const enum caller_class class = caller_classify(caller);
    return class != CALLER_MPI_LIBRARY && class != CALLER_FORTRAN_BINDING &&
           !(is_layer(caller, name, &layer) && is_next(&layer, name));
}

static void *wrapper_of(void *address, void *handle, const char *name, const void *caller)
{
    struct elf_object own, object, library, layer;
    if (!elf_object_at(&mpilens_process, &own) || !elf_object_at(address, &object) || object.base == own.base)
        return address;
    void *wrapper = elf_object_function(&own, name);
    if (wrapper == NULL || !find_library(handle, &object, address, &library) ||
        !may_have_wrapper(caller, name_in_c(name)) || !mpi_library_accept(&library))
        return address;
    if (is_layer(caller, name_in_c(name), &layer))
        caller_declare(caller, CALLER_TOOL); /* inside a call, what it calls is not the program's */
    return wrapper;
}

void *mpilens__hand_out(void *handle, const char *name, const void *caller)
{
    void *address = next_dlsym(handle, name);
    return address != NULL ? wrapper_of(address, handle, name, caller) : NULL;
}

void *mpilens__hand_out_version(void *handle, const char *name, const char *version, const void *caller)
{
    void *address = next_dlvsym(handle, name, version);
    return address != NULL ? wrapper_of(address, handle, name, caller) : NULL;
}
