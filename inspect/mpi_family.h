/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI implementations by the names of their libraries.
 */
#ifndef INSPECT_MPI_FAMILY_H
#define INSPECT_MPI_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

/* Implementations of one binary interface share a runtime: libmpilens-<name>.so. */
struct mpi_family {
    const char *name;  /* as in --mpi */
    const char *title; /* for people */
};

extern const struct mpi_family mpi_families[];
extern const size_t mpi_family_count;

/* By the name of a library as in DT_NEEDED, such as "libmpich.so.12"; NULL: no MPI library. */
const struct mpi_family *mpi_family_of_library(const char *name);
/* By what --mpi says; NULL: none. */
const struct mpi_family *mpi_family_by_name(const char *name);
/* By what the launcher has put into the environment of this process; NULL: no sign of any. */
const struct mpi_family *mpi_family_of_launcher(void);

#endif
