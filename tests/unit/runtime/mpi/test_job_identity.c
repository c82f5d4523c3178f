/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The identity of the job by environments made by hand, and by processes that are called like launchers.
 */
#include "mpi/mpi_traits.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char identity[160];

static void start(void)
{
    clearenv();
}

TestSuite(job_identity, .init = start);

static void expect(const char *expected)
{
    job_identity_find(identity, sizeof identity);
    cr_expect_str_eq(identity, expected);
}

Test(job_identity, by_what_launchers_say)
{
    setenv("SLURM_JOB_ID", "4711", 1);
    setenv("SLURM_STEP_ID", "3", 1);
    expect("slurm 4711.3");
    setenv("PMI_JOBID", "job", 1);
    expect("pmi job");
    setenv("PMI_KVSNAME", "kvs_9", 1);
    expect("pmi kvs_9");
    setenv("PALS_APID", "abc", 1);
    expect("pals abc");
    setenv("OMPI_MCA_ess_base_jobid", "17", 1);
    expect("orte 17");
    setenv("PMIX_NAMESPACE", "897581057", 1);
    expect("pmix 897581057");
}

Test(job_identity, an_allocation_is_no_job)
{
    setenv("SLURM_JOB_ID", "4711", 1);
    job_identity_find(identity, sizeof identity);
    cr_expect_neq(strncmp(identity, "slurm", 5), 0, "%s", identity);
    setenv("FLUX_JOB_ID", "f12", 1);
    expect("flux f12");
}

Test(job_identity, is_cut)
{
    setenv("PMIX_NAMESPACE", "1234567890", 1);
    job_identity_find(identity, 8);
    cr_expect_str_eq(identity, "pmix 12");
}

Test(job_identity, of_one_process)
{
    char beginning[64];
    job_identity_find(identity, sizeof identity);
    snprintf(beginning, sizeof beginning, "process %ld started ", (long)getpid());
    cr_expect_eq(strncmp(identity, beginning, strlen(beginning)), 0, "%s", identity);
    cr_expect_not_null(strstr(identity, " on "));
    setenv("PMI_RANK", "0", 1); /* numbered by somebody who is not to be seen */
    expect("");
}

/* The identity that a process finds whose grandparent has this name. */
static void find_below(const char *name, char *ret_identity, size_t bytes, pid_t *ret_launcher)
{
    int pipe_ends[2];
    cr_assert_eq(pipe(pipe_ends), 0);
    const pid_t launcher = fork();
    if (launcher == 0) {
        prctl(PR_SET_NAME, name);
        const pid_t shell = fork();
        if (shell == 0) {
            prctl(PR_SET_NAME, "sh");
            const pid_t rank = fork();
            if (rank == 0) {
                job_identity_find(identity, sizeof identity);
                _exit(write(pipe_ends[1], identity, sizeof identity) == (ssize_t)sizeof identity ? 0 : 1);
            }
            waitpid(rank, NULL, 0);
            _exit(0);
        }
        waitpid(shell, NULL, 0);
        _exit(0);
    }
    cr_assert_eq(read(pipe_ends[0], ret_identity, bytes), (ssize_t)bytes);
    waitpid(launcher, NULL, 0);
    *ret_launcher = launcher;
}

Test(job_identity, of_the_launcher_on_this_host)
{
    char below[sizeof identity], beginning[64];
    pid_t launcher;
    setenv("MPI_LOCALNRANKS", "2", 1);
    setenv("SLURM_JOB_ID", "4711", 1);
    setenv("SLURM_STEP_ID", "3", 1); /* of a shell in which mpiexec was called, perhaps several times */
    find_below("hydra_pmi) x", below, sizeof below, &launcher);
    snprintf(beginning, sizeof beginning, "hydra_pmi) x %ld started ", (long)launcher);
    cr_expect_eq(strncmp(below, beginning, strlen(beginning)), 0, "%s", below);
    char *end;
    const char *started = below + strlen(beginning);
    cr_expect_gt(strtoull(started, &end, 10), 0);
    cr_expect_eq(strncmp(end, " on ", 4), 0, "%s", below);
    find_below("bash", below, sizeof below, &launcher);
    cr_expect_str_eq(below, "slurm 4711.3");
}

static const char proxy_name[] = "hydra_pmi_proxy";

/* A rank sends this. */
struct found {
    char identity[sizeof identity];
    uint64_t launcher_started;
    uint32_t launcher_part;
};

/* This program under that name is a proxy of Hydra: its child writes what it finds. */
__attribute__((constructor)) static void be_proxy(int count, char **arguments)
{
    const char *name = count > 0 ? strrchr(arguments[0], '/') : NULL;
    if (name == NULL || strcmp(name + 1, proxy_name) != 0)
        return;
    const pid_t rank = fork();
    if (rank == 0) {
        struct found found = {.identity = ""};
        job_identity_find(found.identity, sizeof found.identity);
        found.launcher_started = job_identity_launcher_start(&found.launcher_part);
        _exit(write(STDOUT_FILENO, &found, sizeof found) == (ssize_t)sizeof found ? 0 : 1);
    }
    waitpid(rank, NULL, 0);
    _exit(0);
}

/* A rank below a proxy with these arguments sends it. */
static struct found find_below_proxy(char *const *arguments)
{
    struct found found = {.identity = ""};
    char directory[] = "/tmp/mpilens-proxy-XXXXXX", path[64];
    int pipe_ends[2];
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/%s", directory, proxy_name);
    cr_assert_eq(symlink("/proc/self/exe", path), 0);
    cr_assert_eq(pipe(pipe_ends), 0);
    const pid_t launcher = fork();
    if (launcher == 0) {
        char *all[8] = {path};
        for (size_t i = 0; i < 6 && arguments[i] != NULL; i++)
            all[i + 1] = arguments[i];
        dup2(pipe_ends[1], STDOUT_FILENO);
        execv(path, all);
        _exit(1);
    }
    cr_expect_eq(read(pipe_ends[0], &found, sizeof found), (ssize_t)sizeof found);
    waitpid(launcher, NULL, 0);
    unlink(path);
    rmdir(directory);
    return found;
}

Test(job_identity, of_hydra_is_the_same_on_all_hosts)
{
    char beginning[64];
    char control[] = "--control-port", port[] = "n01:40123", group[] = "--pgid", number[] = "3";
    setenv("MPI_LOCALNRANKS", "2", 1);
    setenv("PMI_JOBID", "24.0", 1); /* of the step in which mpiexec runs, and whatever else does */
    setenv("PMIX_NAMESPACE", "slurm.pmix.24.0", 1);
    cr_expect_str_eq(find_below_proxy((char *[]){control, port, group, number, NULL}).identity, "hydra n01:40123 3");
    cr_expect_str_eq(find_below_proxy((char *[]){control, port, NULL}).identity, "hydra n01:40123 0");
    unsetenv("PMI_JOBID");
    unsetenv("PMIX_NAMESPACE");
    const struct found found = find_below_proxy((char *[]){control, NULL}); /* which does not say */
    snprintf(beginning, sizeof beginning, "%s ", proxy_name);
    cr_expect_eq(strncmp(found.identity, beginning, strlen(beginning)), 0, "%s", found.identity);
}

/* Jobs one after the other may have the same identity. */
Test(job_identity, has_the_start_of_the_launcher)
{
    char part[] = "--proxy-id", number[] = "2";
    setenv("MPI_LOCALNRANKS", "2", 1);
    const struct found first = find_below_proxy((char *[]){part, number, NULL});
    const struct timespec pause = {.tv_nsec = 20000000}; /* two ticks */
    nanosleep(&pause, NULL);
    const struct found second = find_below_proxy((char *[]){NULL});
    cr_expect_eq(first.launcher_part, 2);
    cr_expect_eq(second.launcher_part, 0);
    cr_expect_gt(first.launcher_started, 0);
    cr_expect_gt(second.launcher_started, first.launcher_started);
}
