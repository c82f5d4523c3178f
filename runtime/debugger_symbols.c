/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symbols by which debuggers find the DLL: MPIR_dll_name (Message Queue Dumping 1.0, section 5.1) and
 * mpimsgq_dll_locations (Open MPI, padb). The DLL lies beside this library, or, in a build tree, in the folder next to
 * it.
 */
#include "process.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* An array, not a pointer: debuggers read the text at the symbol's address. */
EXPORT char MPIR_dll_name[PATH_MAX];

static char *dll_locations[2];
EXPORT char **mpimsgq_dll_locations;

static const char dll_file[] = "libmpilens_dll.so";

__attribute__((constructor)) static void name_dll(void)
{
    Dl_info own;
    char path[PATH_MAX];
    if (!dladdr(&mpilens_process, &own) || !own.dli_fname || !realpath(own.dli_fname, path))
        return;
    char *slash = strrchr(path, '/');
    if (!slash)
        return;
    *slash = '\0';
    char name[PATH_MAX + 64];
    snprintf(name, sizeof name, "%s/%s", path, dll_file);
    if (access(name, R_OK) != 0)
        snprintf(name, sizeof name, "%s/../dll/%s", path, dll_file);
    if (access(name, R_OK) != 0)
        snprintf(name, sizeof name, "%s/%s", path, dll_file);
    text_copy(MPIR_dll_name, sizeof MPIR_dll_name, name);
    dll_locations[0] = MPIR_dll_name;
    mpimsgq_dll_locations = dll_locations; /* last: complete as soon as it is visible */
}
