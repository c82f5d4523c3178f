/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The two ways to call MPI.
 */
#define _GNU_SOURCE
#include "calls.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct calls calls_linked(void)
{
    return (struct calls){
#define MPILENS_CALL(name, parameters, arguments) .name = MPI_##name,
#include "calls.def"
#undef MPILENS_CALL
    };
}

/* libmpich.so.12, libmpi.so.40, but not libmpilens-mpich.so. */
static int find_library(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    const char **path = context;
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *name = slash ? slash + 1 : object->dlpi_name;
    if (strncmp(name, "libmpich.so", 11) != 0 && strncmp(name, "libmpi.so", 9) != 0)
        return 0;
    *path = object->dlpi_name;
    return 1;
}

/* The C library's own dlsym: a runtime's hands out wrappers. */
static void *(*find_dlsym(void))(void *, const char *)
{
    void *(*function)(void *, const char *) = dlsym;
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    void *address = library ? dlsym(library, "dlsym") : NULL;
    if (address)
        memcpy(&function, &address, sizeof address);
    return function;
}

static void *find_function(void *library, const char *name)
{
    void *address = library ? find_dlsym()(library, name) : NULL;
    if (!address) {
        fprintf(stderr, "the MPI library has no %s\n", name);
        exit(1);
    }
    return address;
}

struct calls calls_direct(void)
{
    const char *path = NULL;
    struct calls calls;
    dl_iterate_phdr(find_library, &path);
    void *library = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
#define MPILENS_CALL(name, parameters, arguments)                                                                      \
    memcpy(&calls.name, &(void *){find_function(library, "PMPI_" #name)}, sizeof(void *));
#include "calls.def"
#undef MPILENS_CALL
    return calls;
}
