/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Libraries around the program, one for each macro.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Asks in its own name: the meaning of RTLD_NEXT and RTLD_DEFAULT depends on the caller. The result is used afterwards,
 * so that the call is no jump. */
#define ASKING(function)                                                                                               \
    void *function(void *handle, const char *name)                                                                     \
    {                                                                                                                  \
        void *volatile found = dlsym(handle, name);                                                                    \
        return found;                                                                                                  \
    }                                                                                                                  \
    void *function##_version(void *handle, const char *name, const char *version)                                      \
    {                                                                                                                  \
        void *volatile found = dlvsym(handle, name, version);                                                          \
        return found;                                                                                                  \
    }

/* Has functions that the next library has, too, and asks for that. */
#ifdef FIRST_IN_CHAIN
int in_chain(void)
{
    return 1;
}
int MPI_in_chain(void)
{
    return 1;
}
ASKING(ask_in_first)
#endif

#ifdef SECOND_IN_CHAIN
int in_chain(void)
{
    return 2;
}
int MPI_in_chain(void)
{
    return 2;
}
ASKING(ask_in_second)
#endif

/* Loaded for nobody else to see. */
#ifdef PLUGIN
int only_in_plugin(void)
{
    return 3;
}
ASKING(ask_in_plugin)
#endif

/* MPI functions in two versions, of which the second is the default one. */
#ifdef VERSIONED
int old_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 1;
}
int new_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 2;
}
__asm__(".symver old_init, MPI_Init@FAKE_1");
__asm__(".symver new_init, MPI_Init@@FAKE_2");
#endif

/* MPI functions, the profiling interface among them. With another binary interface where it says so. */
#if defined(OTHER_INTERFACE) || defined(LAYER)
int MPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 3;
}
int PMPI_Init(int *argc, char ***argv)
{
    return MPI_Init(argc, argv);
}
#endif

#ifdef OTHER_INTERFACE
int ompi_mpi_comm_world;
#endif

/* Passes a function on to a library that it has loaded. */
#ifdef LAYER
static int (*send_below)(const void *, int, int, int, int, int);

ASKING(ask_in_layer)

int MPI_Send(const void *buffer, int count, int datatype, int peer, int tag, int communicator)
{
    const int error = send_below(buffer, count, datatype, peer, tag, communicator);
    return error + (send_below == NULL);
}

int load_below(const char *library)
{
    void *below = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    void *address = below != NULL ? ask_in_layer(below, "MPI_Send") : NULL;
    memcpy(&send_below, &address, sizeof address);
    return address != NULL;
}
#endif

/* Another tool that wraps dlsym, and counts. */
#ifdef DLSYM_TOOL
int dlsym_tool_calls;

void *dlsym(void *handle, const char *name)
{
    static void *(*next)(void *, const char *);
    if (next == NULL) {
        void *address = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
        if (address == NULL)
            address = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
        memcpy(&next, &address, sizeof next);
    }
    dlsym_tool_calls++;
    return next(handle, name); /* by a jump, so that it knows who asks */
}
#endif

/* An allocator that asks for the next one when it is first called, long before any constructor. */
#ifdef ALLOCATOR
int allocator_calls;

void *malloc(size_t bytes)
{
    static void *(*next)(size_t);
    if (next == NULL) {
        void *address = dlsym(RTLD_NEXT, "malloc");
        memcpy(&next, &address, sizeof next);
    }
    allocator_calls++;
    return next(bytes);
}
#endif
