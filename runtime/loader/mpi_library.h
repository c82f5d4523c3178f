/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which loaded MPI library the process uses, where it has taken it by dlopen: the first one whose functions it has
 * asked dlsym for. A process may look into several before it decides, of other interfaces, too.
 */
#ifndef MPILENS_RUNTIME_LOADER_MPI_LIBRARY_H
#define MPILENS_RUNTIME_LOADER_MPI_LIBRARY_H

#include "loader/elf_object.h"

#include <stdbool.h>

/* Whether wrappers may stand for the functions of this library: they call it, or, as it is the first one that could be
 * theirs, will call it. Any thread. dlerror tells nothing afterwards. */
bool mpi_library_accept(const struct elf_object *library);

/* The library that has been accepted. False: there is none, or it was unloaded. */
bool mpi_library_find(struct elf_object *ret_library);

/* From now on, wrappers call the library that has `function`. */
void mpi_library_settle(const void *function);

#endif
