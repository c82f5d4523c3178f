/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Detects that the launcher of one MPI has started a program of another.
 */
#include "discover/discover.h"

#include "base/base.h"
#include "launch/launch.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A longer line of parents is not followed. */
enum { MOST_ANCESTORS = 64 };

/* A launcher that gives several MPIs what they need is of none. */
static const struct mpi_family *family_of_launcher_process(pid_t pid)
{
    char *program = read_process_link("/proc", pid, "exe");
    const char *name = program != NULL ? file_name(program) : "";
    const struct mpi_family *family = strncmp(name, "prte", 4) != 0 ? mpi_family_of_launcher_program(name) : NULL;
    free(program);
    return family;
}

/* The nearest that is of one MPI, above this process. */
static const struct mpi_family *find_own_launcher(void)
{
    const struct mpi_family *family = NULL;
    struct process_status status;
    pid_t pid = getppid();
    for (int i = 0; i < MOST_ANCESTORS && family == NULL && pid > 1; i++) {
        family = family_of_launcher_process(pid);
        pid = read_process_status("/proc", pid, &status) ? status.parent : 0;
    }
    return family;
}

static bool is_number(const char *variable, long least)
{
    const char *value = getenv(variable);
    return value != NULL && strtol(value, NULL, 10) >= least;
}

static bool has_several_ranks(void)
{
    return is_number("PMI_SIZE", 2) || is_number("OMPI_COMM_WORLD_SIZE", 2);
}

char *check_own_launcher(const struct program *program)
{
    const struct mpi_family *launcher = find_own_launcher();
    static const char *const mpi_abi = "abi"; /* whose library any MPI may be */
    if (launcher == NULL || program->mpi == NULL || launcher == program->mpi || !has_several_ranks() ||
        strcmp(program->mpi->name, mpi_abi) == 0)
        return NULL;
    return format_text("the launcher is that of %s, but %s is linked with %s: each process will be a job of its own "
                       "(rank 0 of 1); start it with the mpiexec of %s",
                       launcher->title, program->path, program->mpi->title, program->mpi->title);
}

/* Whether every process that could be read is the only one of its MPI_COMM_WORLD, and there are some. */
static bool are_alone(const struct job *job)
{
    size_t alone = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        if (job->processes[i].reason != NULL)
            continue;
        if (job->processes[i].size != 1)
            return false;
        alone++;
    }
    return alone > 0;
}

char *check_launcher_of(const struct found_job *found, const struct job *job)
{
    if (found->launcher_pid == 0 || found->size < 2 || found->is_spawned || !are_alone(job))
        return NULL;
    const struct mpi_family *launcher = family_of_launcher_process(found->launcher_pid);
    const char *title = launcher != NULL ? launcher->title : NULL;
    const bool is_other = title != NULL && job->mpi != NULL && strncmp(job->mpi, title, strlen(title)) != 0;
    char *by = is_other ? format_text("the launcher is that of %s, but the program uses %s", title, job->mpi)
                        : format_text("the launcher has started %d ranks, but %s has not found the others", found->size,
                                      job->mpi != NULL ? job->mpi : "their MPI");
    char *text = format_text("%s: each process is a job of its own (rank 0 of 1); start them with the mpiexec of %s",
                             by, job->mpi != NULL ? job->mpi : "their MPI");
    free(by);
    return text;
}

void say_launch_problem(const struct job *job)
{
    if (job->launch_problem != NULL)
        print_line(stderr, "mpilens: %s", job->launch_problem);
}
