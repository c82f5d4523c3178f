/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI implementations by the names of their libraries. Numbers are those of the ABI: 12 is that of the MPICH ABI
 * Compatibility Initiative (MPICH, Intel MPI, Cray MPICH, MVAPICH2), 40 that of Open MPI 3 to 5, 0 that of MPI 5.0.
 */
#include "mpi_family.h"

#include <stdlib.h>
#include <string.h>

enum { MPICH, OPEN_MPI, MPI_ABI };

const struct mpi_family mpi_families[] = {
    [MPICH] = {"mpich", "MPICH"},
    [OPEN_MPI] = {"openmpi", "Open MPI"},
    [MPI_ABI] = {"abi", "the MPI 5 ABI"},
};
const size_t mpi_family_count = sizeof mpi_families / sizeof *mpi_families;

const struct mpi_family *mpi_family_of_library(const char *name)
{
    static const struct {
        const char *library; /* a name, or the beginning of names where it ends in a dot or an underscore */
        int family;
    } libraries[] = {
        {"libmpich.so.", MPICH},    {"libmpi.so.12", MPICH},    {"libmpi_cray.so.", MPICH},  {"libmpi_gnu_", MPICH},
        {"libmpi.so.40", OPEN_MPI}, {"libmpi.so.20", OPEN_MPI}, {"libmpi_abi.so.", MPI_ABI},
    };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const char *library = libraries[i].library;
        const size_t length = strlen(library);
        const bool beginning = library[length - 1] == '.' || library[length - 1] == '_';
        if (beginning ? strncmp(name, library, length) == 0 : strcmp(name, library) == 0)
            return &mpi_families[libraries[i].family];
    }
    return NULL;
}

const struct mpi_family *mpi_family_by_name(const char *name)
{
    for (size_t i = 0; i < mpi_family_count; i++)
        if (strcmp(mpi_families[i].name, name) == 0)
            return &mpi_families[i];
    return NULL;
}

const struct mpi_family *mpi_family_of_launcher(void)
{
    if (getenv("OMPI_COMM_WORLD_RANK") != NULL)
        return &mpi_families[OPEN_MPI];
    return getenv("PMI_RANK") != NULL ? &mpi_families[MPICH] : NULL;
}
