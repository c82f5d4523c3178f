/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symbols by which debuggers find the DLL, one file for all interfaces. It lies beside this library, or, in a build
 * tree, in the folder next to it.
 *
 *   MPIR_dll_name           Message Queue Dumping 1.0, section 5.1
 *   mpimsgq_dll_locations   the same, as Open MPI has it and padb reads it
 *   mpidbg_dll_locations    handles: Open MPI's mpihandles_interface.h
 *   MPI_D_dll_locations     handles: the MPI Forum's draft, mpi-issues #847
 */
#include "loader/loader.h"

#include "memory/memory.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An MPI library that is linked in statically, too, may have symbols of these names. */
#ifdef MPILENS_STATIC
#define EXPORT __attribute__((visibility("default"), weak))
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* An array, not a pointer: debuggers read the text at the symbol's address. Only written under its own name: a program
 * that has a symbol of that name has another one, of any size. */
static char dll_name[PATH_MAX];
extern char MPIR_dll_name[PATH_MAX] EXPORT __attribute__((alias("dll_name")));

/* Arrays as of argv. */
static char *dll_locations[2];
EXPORT char **mpimsgq_dll_locations;
EXPORT char **mpidbg_dll_locations;
EXPORT char **MPI_D_dll_locations;

static const char dll_file[] = "libmpilens_dll.so";
static char dll_path[PATH_MAX];

void debugger_symbols_restore(void)
{
    char ***const symbols[] = {&mpimsgq_dll_locations, &mpidbg_dll_locations, &MPI_D_dll_locations};
    if (dll_path[0] == '\0')
        return;
    /* Each is complete as soon as it is visible. */
    dll_locations[0] = dll_path;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        __atomic_store_n(symbols[i], dll_locations, __ATOMIC_RELEASE);
    if (dll_name[0] != '\0')
        return;
    text_copy(dll_name + 1, sizeof dll_name - 1, dll_path + 1);
    __atomic_store_n(&dll_name[0], dll_path[0], __ATOMIC_RELEASE);
}

__attribute__((constructor)) static void name_dll(void)
{
    Dl_info own;
    char path[PATH_MAX];
    if (!dladdr(&mpilens_process, &own) || own.dli_fname == NULL)
        return;
    /* A program that the runtime is linked into is called as the shell found it: without a path. */
    if (realpath(strchr(own.dli_fname, '/') != NULL ? own.dli_fname : "/proc/self/exe", path) == NULL)
        return;
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return;
    *slash = '\0';
    char name[PATH_MAX + 64];
    snprintf(name, sizeof name, "%s/%s", path, dll_file);
    if (access(name, R_OK) != 0)
        snprintf(name, sizeof name, "%s/../dll/%s", path, dll_file);
    if (access(name, R_OK) != 0)
        snprintf(name, sizeof name, "%s/%s", path, dll_file);
    text_copy(dll_path, sizeof dll_path, name);
    debugger_symbols_restore();
}
