/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI implementations by the names of their libraries. Their numbers name the ABI: 12 is the MPICH ABI Compatibility
 * Initiative's (MPICH, Intel MPI, Cray MPICH, MVAPICH2), 40 Open MPI's from 3 to 6, 1 the standard ABI of MPI 5.0 (0 in
 * trials).
 */
#include "launch/launch.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A longer line of parents is not followed. */
enum { MOST_ANCESTORS = 64 };

enum { MPICH, OPEN_MPI, MPI_ABI };

const struct mpi_family mpi_families[] = {
    [MPICH] = {"mpich", "MPICH"},
    [OPEN_MPI] = {"openmpi", "Open MPI"},
    [MPI_ABI] = {"abi", "the MPI 5 ABI"},
};
const size_t mpi_family_count = sizeof mpi_families / sizeof *mpi_families;

void mpi_findings_note(struct mpi_findings *findings, const struct mpi_family *family)
{
    if (family == NULL)
        return;
    findings->several = findings->several || (findings->family != NULL && findings->family != family);
    findings->family = family;
}

const struct mpi_family *mpi_findings_result(const struct mpi_findings *findings)
{
    return findings->several ? NULL : findings->family;
}

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

const struct mpi_family *mpi_family_of_launcher_program(const char *name)
{
    static const struct {
        const char *program;
        int family;
    } programs[] = {
        {"mpiexec.hydra", MPICH}, {"hydra_pmi_proxy", MPICH},    {"mpiexec.gforker", MPICH},   {"mpiexec.mpich", MPICH},
        {"mpirun.mpich", MPICH},  {"orterun", OPEN_MPI},         {"orted", OPEN_MPI},          {"prterun", OPEN_MPI},
        {"prted", OPEN_MPI},      {"mpiexec.openmpi", OPEN_MPI}, {"mpirun.openmpi", OPEN_MPI},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].program, name) == 0)
            return &mpi_families[programs[i].family];
    return NULL;
}

/* The launcher among the processes that this one descends from, nearest first. */
static const struct mpi_family *nearest_launcher(void)
{
    const struct mpi_family *family = NULL;
    struct process_status status;
    pid_t pid = getppid();
    for (int i = 0; i < MOST_ANCESTORS && family == NULL && pid > 1; i++) {
        char *program = read_process_link("/proc", pid, "exe");
        if (program != NULL)
            family = mpi_family_of_launcher_program(file_name(program));
        free(program);
        pid = read_process_status("/proc", pid, &status) ? status.parent : 0;
    }
    return family;
}

/* Hydra and gforker of MPICH, and Slurm for several MPIs, give PMI_RANK; Open MPI's mpirun gives OMPI_COMM_WORLD_RANK;
 * PMIx servers (PRRTE, Slurm) give PMIX_RANK, almost always to Open MPI. A job within a job has signs of both. */
const struct mpi_family *mpi_family_of_launcher(void)
{
    const bool is_open_mpi = getenv("OMPI_COMM_WORLD_RANK") != NULL || getenv("PMIX_RANK") != NULL;
    const bool is_mpich = getenv("PMI_RANK") != NULL;
    if (is_open_mpi && is_mpich) {
        const struct mpi_family *nearest = nearest_launcher();
        return nearest != NULL ? nearest : &mpi_families[OPEN_MPI];
    }
    if (is_open_mpi)
        return &mpi_families[OPEN_MPI];
    return is_mpich ? &mpi_families[MPICH] : NULL;
}

const struct mpi_family *mpi_family_only_one(const char *cache_path)
{
    static const char *const libraries[] = {"libmpich.so.12", "libmpi.so.12",    "libmpi.so.40",
                                            "libmpi.so.20",   "libmpi_abi.so.0", "libmpi_abi.so.1"};
    struct library_cache cache = library_cache_open(cache_path);
    struct mpi_findings findings = {0};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (library_cache_find(&cache, libraries[i], 0) != NULL)
            mpi_findings_note(&findings, mpi_family_of_library(libraries[i]));
    library_cache_close(&cache);
    return mpi_findings_result(&findings);
}
