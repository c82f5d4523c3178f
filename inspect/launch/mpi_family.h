/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI implementations by the names of their libraries.
 */
#ifndef MPILENS_INSPECT_LAUNCH_MPI_FAMILY_H
#define MPILENS_INSPECT_LAUNCH_MPI_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

/* Implementations of one binary interface share a runtime: libmpilens-<name>.so. */
struct mpi_family {
    const char *name;  /* as in --mpi */
    const char *title; /* for people */
};

extern const struct mpi_family mpi_families[];
extern const size_t mpi_family_count;

/* Which families something was found of. Zero-initialised: none. */
struct mpi_findings {
    const struct mpi_family *family; /* the last one; NULL: none */
    bool several;
};

/* NULL: nothing was found. */
void mpi_findings_note(struct mpi_findings *findings, const struct mpi_family *family);
/* The only one; NULL: none, or several. */
const struct mpi_family *mpi_findings_result(const struct mpi_findings *findings);

/* By the name of a library as in DT_NEEDED, such as "libmpich.so.12"; NULL: no MPI library. */
const struct mpi_family *mpi_family_of_library(const char *name);
/* By what --mpi says; NULL: none. */
const struct mpi_family *mpi_family_by_name(const char *name);
/* By the launcher that has started this process; NULL: none, or one that starts programs of several. */
const struct mpi_family *mpi_family_of_launcher(void);
/* By the name of a program that starts MPI programs, such as "mpiexec.hydra" or "orterun"; NULL: none of one family. */
const struct mpi_family *mpi_family_of_launcher_program(const char *name);
/* The only one of which the dynamic linker finds a library in its cache, "/etc/ld.so.cache" but in tests; NULL: none,
 * or several. */
const struct mpi_family *mpi_family_only_one(const char *cache_path);

#endif
