/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The real MPI functions, and those of other tools that come after this one.
 */
#ifndef MPILENS_RUNTIME_LOADER_RESOLVE_H
#define MPILENS_RUNTIME_LOADER_RESOLVE_H

#include <stdbool.h>

/* Finds the real PMPI_ functions once: those of the library that the program has taken by dlsym (mpi_library.h), else
 * the next definition after this library, else the one that `caller`'s object sees, else that of any loaded MPI library
 * (Python and others load MPI privately). A function that this MPI lacks becomes one that says so and aborts, and where
 * the runtime asks it, one that refuses. Where another tool has the function MPI_x after this library, wrappers called
 * as MPI_x call that. False: no MPI library was found. */
bool resolve_functions(const void *caller);

/* Looks again for the constants of MPI that are addresses and were not found: a library that passes calls on may load
 * MPI only when it is initialized. */
void resolve_constants(const void *caller);

/* Any symbol of the MPI library or of its bindings, looked for in the same way; NULL: there is none. */
void *resolve_symbol(const char *symbol, const void *caller);

/* There is such another tool. Known to the entries of PMPI_ functions. */
extern bool mpilens__tools_behind __attribute__((visibility("hidden")));

#endif
