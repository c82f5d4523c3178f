/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The real MPI functions, and which code belongs to the MPI library.
 */
#ifndef MPILENS_RUNTIME_RESOLVE_H
#define MPILENS_RUNTIME_RESOLVE_H

#include <stdbool.h>

/* Finds the real PMPI_ functions once: the next definition after this library, else the one that `caller`'s object
 * sees, else that of any loaded MPI library (Python and others load MPI privately). A function that this MPI lacks
 * becomes one that says so and aborts. False: no MPI library was found. */
bool resolve_functions(const void *caller);

/* Whether the return address of a call lies in the MPI library: then the call is not the application's. */
bool caller_is_mpi_library(const void *caller);

#endif
