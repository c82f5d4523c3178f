/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the programs that spawn themselves.
 */
#ifndef TESTS_SPAWNING_H
#define TESTS_SPAWNING_H

#define _GNU_SOURCE /* setenv */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Open MPI 4 connects worlds by TCP only, and hosts may have no other network than the loopback. */
static inline void init_reachable(int *argc, char ***argv)
{
    setenv("OMPI_MCA_btl", "self,vader,tcp", 1);
    setenv("OMPI_MCA_btl_tcp_if_include", "lo", 1);
    MPI_Init(argc, argv);
}

/* Spawned processes get the environment of the launcher: the runtime is handed on to them. */
static inline MPI_Comm spawn_with_runtime(char *program, int count)
{
    char preload[8192];
    char *arguments[] = {preload, program, NULL};
    const char *own = getenv("LD_PRELOAD");
    MPI_Comm children;
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", own != NULL ? own : "");
    MPI_Comm_spawn("env", arguments, count, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    return children;
}

#endif
