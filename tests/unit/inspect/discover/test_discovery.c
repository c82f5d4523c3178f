/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs found in a /proc made by hand.
 */
#include "discover/discover.h"

#include "job/job.h"

#include "made_proc.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(discovery, .init = made_proc_begin, .fini = made_proc_end);

enum mapped { NOTHING = 0, RUNTIME = 1, MPI = 2, DLL = 4, READ = 8 };

/* `environment`: variables separated by spaces. */
static void add(int pid, int parent, const char *name, const char *environment, int mapped)
{
    char path[128], text[512];
    int length =
        snprintf(text, sizeof text, "Name:\t%s\nState:\tS (sleeping)\nPPid:\t%d\nUid:\t77\t77\t77\t77\n", name, parent);
    made_proc_write(pid, "status", text, (size_t)length);
    length = snprintf(text, sizeof text, "%s", environment);
    for (int i = 0; i < length; i++)
        text[i] = text[i] == ' ' ? '\0' : text[i];
    made_proc_write(pid, "environ", text, (size_t)length + 1);
    length = snprintf(text, sizeof text, "7f00-7f01 r-xp 0 00:00 1 /usr/lib/libc.so.6\n%s%s%s%s",
                      (mapped & RUNTIME) != 0 ? "7f02-7f03 r-xp 0 00:00 2 /opt/mpilens/libmpilens-mpich.so\n" : "",
                      (mapped & MPI) != 0 ? "7f04-7f05 r-xp 0 00:00 3 /usr/lib/libmpich.so.12.2.0\n" : "",
                      (mapped & DLL) != 0 ? "7f06-7f07 r-xp 0 00:00 4 /opt/mpilens/libmpilens_dll.so\n" : "",
                      (mapped & READ) != 0 ? "7f08-7f09 r--p 0 00:00 2 /opt/mpilens/libmpilens-mpich.so\n"
                                             "7f0a-7f0b rw-p 0 00:00 3 /usr/lib/libmpich.so.12.2.0\n"
                                           : "");
    made_proc_write(pid, "maps", text, (size_t)length);
    snprintf(path, sizeof path, "%s/%d/exe", made_proc, pid);
    cr_assert_eq(symlink("/home/u/app", path), 0);
}

#define ENDED_STATUS "Name:\tapp\nState:\tZ (zombie)\nPPid:\t21\nUid:\t77\t77\t77\t77\n"

Test(discovery, runtime_is_gone_after_exec)
{
    add(10, 1, "app", "", RUNTIME | MPI);
    struct found_jobs jobs = discover_jobs(made_proc, ANY_USER);
    cr_assert_eq(jobs.count, 1);
    cr_assert(still_has_runtime(made_proc, &jobs.items[0].ranks[0]));
    made_proc_write(10, "maps", "", 0);
    cr_assert_not(still_has_runtime(made_proc, &jobs.items[0].ranks[0]));
}

Test(discovery, hydra_job)
{
    add(10, 1, "bash", "", NOTHING);
    add(20, 10, "mpiexec.hydra", "", NOTHING);
    add(21, 20, "hydra_pmi_proxy", "", NOTHING);
    add(30, 21, "app", "PMI_RANK=1 PMI_SIZE=2", RUNTIME | MPI);
    add(31, 21, "app", "PMI_RANK=0 PMI_SIZE=2", RUNTIME | MPI);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 1);
    const struct found_job *job = &jobs.items[0];
    cr_expect_eq(job->launcher_pid, 20);
    cr_expect_str_eq(job->launcher, "mpiexec.hydra");
    cr_expect_eq(job->size, 2);
    cr_expect(job->has_runtime);
    cr_assert_eq(job->rank_count, 2);
    cr_expect_eq(job->ranks[0].rank, 0);
    cr_expect_eq(job->ranks[0].pid, 31);
    cr_expect_str_eq(job->ranks[0].executable, "/home/u/app");
    const int pids[] = {20, 21, 30, 31};
    for (size_t i = 0; i < sizeof pids / sizeof *pids; i++)
        cr_expect_eq(find_job_of(&jobs, pids[i]), job, "pid %d", pids[i]);
    cr_expect_eq(find_job_of(&jobs, 10), job, "what the launcher was started by");
    cr_expect_null(find_job_of(&jobs, 9999));
    jobs = discover_jobs(made_proc, 78);
    cr_expect_eq(jobs.count, 0, "jobs of another user");
}

static void expect_launcher(pid_t pid, const char *why)
{
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_expect_eq(jobs.launcher, pid, "%s: %ld", why, (long)jobs.launcher);
}

Test(discovery, launchers_that_may_have_ranks)
{
    add(21, 1, "hydra_pmi_proxy", "", NOTHING);
    expect_launcher(0, "nothing is left of what it has started");
    add(30, 21, "app", "", NOTHING);
    expect_launcher(21, "it has started something");
    made_proc_write(30, "status", ENDED_STATUS, sizeof ENDED_STATUS - 1);
    expect_launcher(0, "that has ended");
    add(40, 1, "mpirun", "", NOTHING);
    expect_launcher(40, "its ranks may run elsewhere");
    char ended[] = "Name:\tmpirun\nState:\tZ (zombie)\nPPid:\t1\nUid:\t77\t77\t77\t77\n";
    made_proc_write(40, "status", ended, sizeof ended - 1);
    expect_launcher(0, "it has ended itself");
}

Test(discovery, mappings_without_end)
{
    char path[128];
    add(21, 1, "app", "PMI_RANK=0 PMI_SIZE=1", NOTHING);
    snprintf(path, sizeof path, "%s/21/maps", made_proc);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("7f04-7f05 r-xp 0 00:00 3 /usr/lib/libmpich.so.12.2.0\n", file);
    for (int i = 0; i < 100; i++)
        fprintf(file, "7f06-7f07 r-xp 0 00:00 4 /%0*d\n", 100000, i);
    fputs("7f02-7f03 r-xp 0 00:00 2 /opt/mpilens/libmpilens-mpich.so\n", file);
    fclose(file);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 1);
    cr_expect_not(jobs.items[0].has_runtime, "behind all that is looked at");
}

Test(discovery, jobs_are_kept_apart)
{
    add(20, 1, "mpirun", "", NOTHING);
    add(21, 20, "app", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 PMIX_RANK=0", RUNTIME | MPI);
    add(40, 1, "mpirun", "", NOTHING);
    add(41, 40, "app", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 PMIX_RANK=0", RUNTIME | MPI);
    add(50, 1, "app", "", RUNTIME | MPI); /* started without a launcher */
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 3);
    cr_expect_eq(jobs.items[0].launcher_pid, 20);
    cr_expect_eq(jobs.items[1].launcher_pid, 40);
    cr_expect_eq(jobs.items[2].launcher_pid, 0);
    cr_expect_eq(jobs.items[2].ranks[0].pid, 50);
    cr_expect_eq(jobs.items[2].ranks[0].rank, -1);
}

Test(discovery, allocation_around_several_jobs)
{
    add(5, 1, "srun", "", NOTHING);
    add(6, 5, "bash", "", NOTHING);
    add(20, 6, "mpiexec", "", NOTHING);
    add(21, 20, "app", "PMI_RANK=0 PMI_SIZE=1", RUNTIME | MPI);
    add(40, 6, "mpiexec", "", NOTHING);
    add(41, 40, "app", "PMI_RANK=0 PMI_SIZE=1", RUNTIME | MPI);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 2);
    cr_expect_null(find_job_of(&jobs, 6), "a shell may have many jobs");
    cr_expect_eq(find_job_of(&jobs, 40), &jobs.items[1]);
}

Test(discovery, wrappers_and_helpers_of_a_rank)
{
    add(20, 1, "mpiexec", "", NOTHING);
    add(30, 20, "sh", "PMI_RANK=0 PMI_SIZE=1", RUNTIME);
    add(31, 30, "app", "PMI_RANK=0 PMI_SIZE=1", RUNTIME | MPI);
    add(32, 31, "app", "PMI_RANK=0 PMI_SIZE=1", RUNTIME | MPI); /* fork */
    add(33, 31, "sleep", "PMI_RANK=0 PMI_SIZE=1", RUNTIME);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 1);
    cr_assert_eq(jobs.items[0].rank_count, 1);
    cr_expect_eq(jobs.items[0].ranks[0].pid, 31);
    cr_expect_eq(find_job_of(&jobs, 30), &jobs.items[0]);
}

/* `mpilens run --leaks` stays above its rank and has the DLL. */
Test(discovery, command_above_a_rank)
{
    add(20, 1, "mpiexec", "", NOTHING);
    add(30, 20, "mpilens", "PMI_RANK=0 PMI_SIZE=1", DLL);
    add(31, 30, "app", "PMI_RANK=0 PMI_SIZE=1", RUNTIME | MPI);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 1);
    cr_assert_eq(jobs.items[0].rank_count, 1);
    cr_expect_eq(jobs.items[0].ranks[0].pid, 31);
}

/* They map the libraries of those that they read. */
Test(discovery, debuggers_are_no_ranks)
{
    add(5, 1, "srun", "", NOTHING);
    add(6, 5, "bash", "PMI_RANK=0 PMI_SIZE=1", NOTHING);
    add(20, 6, "mpiexec", "", NOTHING);
    add(30, 20, "app", "PMI_RANK=0 PMI_SIZE=1", RUNTIME | MPI | READ);
    add(40, 6, "gdb", "PMI_RANK=0 PMI_SIZE=1", READ);
    add(41, 6, "mpilens", "PMI_RANK=0 PMI_SIZE=1", READ | DLL);
    add(42, 1, "gdb", "", READ);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 1);
    cr_expect_eq(jobs.items[0].launcher_pid, 20);
    cr_assert_eq(jobs.items[0].rank_count, 1);
    cr_expect_eq(jobs.items[0].ranks[0].pid, 30);
}

Test(discovery, ranks_without_the_runtime)
{
    add(20, 1, "mpiexec", "", NOTHING);
    add(30, 20, "app", "PMI_RANK=0 PMI_SIZE=2", RUNTIME | MPI);
    add(31, 20, "app", "PMI_RANK=1 PMI_SIZE=2", MPI);
    add(40, 1, "mpiexec", "", NOTHING);
    add(41, 40, "app", "PMI_RANK=0 PMI_SIZE=1", MPI);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 2);
    cr_expect(jobs.items[0].has_runtime);
    cr_expect_eq(jobs.items[0].rank_count, 2);
    cr_expect_not(jobs.items[1].has_runtime);
}

static void expect_identity(int pid, const char *expected)
{
    char *identity = launcher_identity_of(made_proc, pid);
    cr_expect_str_eq(identity != NULL ? identity : "", expected);
    free(identity);
}

static void expect_identity_below(int pid, const char *expected)
{
    char *identity = launcher_identity_below(made_proc, pid);
    cr_expect_str_eq(identity != NULL ? identity : "", expected);
    free(identity);
}

/* Ranks of both launchers run elsewhere: it is seen what ssh was told to start. */
Test(discovery, identities_of_jobs_that_run_elsewhere)
{
    static const char hydra[] =
        "ssh\0n2\0\"/usr/bin/hydra_pmi_proxy\"\0--control-port\0n1:37169\0--pgid\0000\0--proxy-id\0001";
    static const char orte[] = "ssh\0n2\0 orted\0-mca\0ess\0\"env\"\0-mca\0ess_base_jobid\0\"449314816\"";
    static const char other[] = "ssh\0n2\0true";
    const struct {
        int launcher;
        const char *words;
        size_t bytes;
        const char *identity;
    } cases[] = {{20, hydra, sizeof hydra, "hydra n1:37169 0"},
                 {30, orte, sizeof orte, "pmix 449314817"},
                 {40, other, sizeof other, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int launcher = cases[i].launcher;
        char name[64], child[16];
        add(launcher, 1, "mpiexec", "", NOTHING);
        add(launcher + 1, launcher, "ssh", "", NOTHING);
        snprintf(child, sizeof child, "%d ", launcher + 1);
        snprintf(name, sizeof name, "task/%d/children", launcher);
        made_proc_write_text(launcher, name, child);
        made_proc_write(launcher + 1, "cmdline", cases[i].words, cases[i].bytes);
        expect_identity_below(launcher, cases[i].identity);
    }
}

/* The identity as the runtime would note it, from facts that others can see. */
Test(discovery, identities_without_the_runtime)
{
    static const char arguments[] = "hydra_pmi_proxy\0--control-port\0n1:37041\0--pgid\0002";
    add(20, 1, "mpiexec", "", NOTHING);
    add(21, 20, "hydra_pmi_proxy", "", NOTHING);
    made_proc_write(21, "cmdline", arguments, sizeof arguments);
    add(30, 21, "app", "PMI_RANK=0 MPI_LOCALNRANKS=2", MPI);
    add(31, 1, "app", "MPI_LOCALNRANKS=2", MPI);
    add(40, 1, "app", "SLURM_JOB_ID=4711 SLURM_STEP_ID=0 PMIX_NAMESPACE=slurm.pmix.4711.0", MPI);
    add(41, 1, "app", "SLURM_JOB_ID=4711 SLURM_STEP_ID=0", MPI);
    add(42, 1, "app", "SLURM_JOB_ID=4711", MPI);
    expect_identity(30, "hydra n1:37041 2");
    expect_identity(31, "");
    expect_identity(40, "pmix slurm.pmix.4711.0");
    expect_identity(41, "slurm 4711.0");
    expect_identity(42, "");
    expect_identity(43, "");
}

/* The script of a batch job, and its children, are also number 0. */
Test(discovery, ranks_that_only_slurm_has_numbered)
{
    static const char step[] = "SLURM_PROCID=1\0SLURM_STEP_NUM_TASKS=4", script[] = "SLURM_PROCID=0\0SLURM_NTASKS=4";
    cr_expect_eq(launcher_numbers_of(step, sizeof step, true).rank, 1);
    cr_expect_eq(launcher_numbers_of(step, sizeof step, true).size, 4);
    cr_expect_eq(launcher_numbers_of(step, sizeof step, false).rank, -1);
    cr_expect_eq(launcher_numbers_of(script, sizeof script, true).rank, -1);
}

/* Which anybody may give to anything. */
Test(discovery, sizes_that_cannot_be_are_not_known)
{
    add(20, 1, "mpiexec", "", NOTHING);
    add(21, 20, "app", "PMI_RANK=0 PMI_SIZE=2000000000", RUNTIME | MPI);
    add(30, 1, "app", "PMI_RANK=0 PMI_SIZE=99999999999999999999", RUNTIME | MPI);
    add(40, 1, "app", "PMI_RANK=0 PMI_SIZE=1000000", RUNTIME | MPI);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 3);
    cr_expect_eq(jobs.items[0].size, -1);
    cr_expect_eq(jobs.items[1].size, -1);
    cr_expect_eq(jobs.items[2].size, 1000000);
}

Test(discovery, processes_that_are_no_ranks)
{
    add(10, 1, "bash", "LD_PRELOAD=/opt/mpilens/libmpilens-mpich.so", RUNTIME);
    add(11, 1, "python3", "PMI_RANK=0", NOTHING);
    add(12, 1, "mpiexec", "PMI_RANK=0", RUNTIME | MPI);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_expect_eq(jobs.count, 0);
}

Test(discovery, spawned_worlds_of_one_launcher)
{
    add(20, 1, "mpirun", "", NOTHING);
    add(31, 20, "app", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 PMIX_NAMESPACE=71", RUNTIME | MPI);
    add(32, 20, "app", "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 PMIX_NAMESPACE=71", RUNTIME | MPI);
    add(29, 20, "child", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 PMIX_NAMESPACE=72 OMPI_PARENT_PORT=71.0:9",
        RUNTIME | MPI);
    add(40, 20, "sleep", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 PMIX_NAMESPACE=73 OMPI_PARENT_PORT=71.0:9",
        NOTHING);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 2);
    cr_expect_eq(jobs.items[0].rank_count, 2);
    cr_expect_not(jobs.items[0].is_spawned);
    cr_expect_eq(found_job_pid(&jobs.items[0]), 20);
    cr_expect_eq(jobs.items[1].rank_count, 1);
    cr_expect(jobs.items[1].is_spawned);
    cr_expect_eq(found_job_pid(&jobs.items[1]), 29, "the launcher stands for the other one");
    cr_expect_eq(find_job_of(&jobs, 20), &jobs.items[0]);
    cr_expect_eq(find_job_of(&jobs, 29), &jobs.items[1]);
    cr_assert_eq(jobs.without_mpi_count, 1);
    cr_expect_eq(jobs.without_mpi[0].pid, 40);
    cr_expect(jobs.without_mpi[0].is_spawned);
    cr_expect_not(is_same_world(&jobs.without_mpi[0], &jobs.items[1].ranks[0]));
}

Test(discovery, spawned_worlds_below_proxies)
{
    add(20, 1, "mpiexec", "", NOTHING);
    add(21, 20, "hydra_pmi_proxy", "", NOTHING);
    add(22, 20, "hydra_pmi_proxy", "", NOTHING);
    add(30, 21, "app", "PMI_RANK=0 PMI_SIZE=1", RUNTIME | MPI);
    add(40, 22, "sh", "PMI_RANK=0 PMI_SIZE=2 PMI_SPAWNED=1", RUNTIME);
    add(41, 40, "child", "PMI_RANK=0 PMI_SIZE=2 PMI_SPAWNED=1", RUNTIME | MPI);
    add(42, 22, "child", "PMI_RANK=1 PMI_SIZE=2 PMI_SPAWNED=1", RUNTIME | MPI);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 2);
    cr_expect_eq(jobs.items[0].ranks[0].pid, 30);
    cr_assert_eq(jobs.items[1].rank_count, 2);
    cr_expect_eq(jobs.items[1].ranks[0].pid, 41);
    cr_expect_eq(jobs.items[1].ranks[1].pid, 42);
}

Test(discovery, ranks_without_a_launcher_are_joined_by_what_they_have_noted)
{
    add(20, 1, "mpiexec", "", NOTHING);
    add(21, 20, "app", "PMI_RANK=1 PMI_SIZE=3", RUNTIME | MPI);
    add(30, 1, "app", "PMI_RANK=0 PMI_SIZE=3", RUNTIME | MPI); /* it has left the launcher */
    add(31, 1, "app", "PMI_RANK=2 PMI_SIZE=3", RUNTIME | MPI);
    add(40, 1, "app", "PMI_RANK=0 PMI_SIZE=2", RUNTIME | MPI); /* of another job, whose launcher is gone */
    add(41, 1, "app", "PMI_RANK=1 PMI_SIZE=2", RUNTIME | MPI);
    add(50, 1, "app", "PMI_RANK=0 PMI_SIZE=2", RUNTIME | MPI); /* nothing is known of it */
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 6);
    char *identities[6];
    for (size_t i = 0; i < jobs.count; i++)
        identities[i] = jobs.items[i].ranks[0].pid < 40 ? "pmi a" : jobs.items[i].ranks[0].pid < 50 ? "pmi b" : NULL;
    join_jobs(&jobs, identities);
    cr_assert_eq(jobs.count, 3);
    cr_expect_eq(jobs.items[0].launcher_pid, 20);
    cr_assert_eq(jobs.items[0].rank_count, 3);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(jobs.items[0].ranks[i].rank, i);
    cr_assert_eq(jobs.items[1].rank_count, 2);
    cr_expect_eq(jobs.items[1].ranks[1].pid, 41);
    cr_expect_eq(find_job_of(&jobs, 31), &jobs.items[0]);
    cr_expect_eq(find_job_of(&jobs, 40), &jobs.items[1]);
}

Test(discovery, identities)
{
    static const char here[] = "mpiexec 7 started 99 on n01", later[] = "mpiexec 7 started 100 on n01";
    cr_expect_not(identities_differ("pmix 1", "pmix 1"));
    cr_expect(identities_differ("pmix 1", "pmix 2"));
    cr_expect(identities_differ("pmix 1", "slurm 1.0"));
    cr_expect(identities_differ("pmix 1", here));
    cr_expect_not(identities_differ("", here));
    cr_expect(identities_differ(here, later), "the same pid again");
    cr_expect_not(identities_differ(here, "orted 5 started 7 on n02"), "a job has a launcher on every host");
}

Test(discovery, what_a_launcher_has_started_beside_the_ranks)
{
    add(20, 1, "mpiexec", "", NOTHING);
    add(21, 20, "hydra_pmi_proxy", "", NOTHING);
    add(30, 21, "app", "PMI_RANK=0 PMI_SIZE=4", RUNTIME | MPI);
    add(31, 21, "sh", "PMI_RANK=1 PMI_SIZE=4", NOTHING);
    add(41, 31, "sleep", "PMI_RANK=1 PMI_SIZE=4", NOTHING);
    add(32, 21, "app", "", NOTHING);
    made_proc_write(32, "status", ENDED_STATUS, sizeof ENDED_STATUS - 1);
    add(33, 21, "sh", "PMI_RANK=3 PMI_SIZE=4", NOTHING);
    add(43, 33, "app", "PMI_RANK=3 PMI_SIZE=4", RUNTIME | MPI);
    struct found_jobs jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 1);
    const struct found_job *job = &jobs.items[0];
    cr_assert_eq(job->rank_count, 2);
    cr_assert_eq(job->without_mpi_count, 1, "the shell of rank 3 is above it");
    cr_expect_eq(job->without_mpi[0].rank, 1);
    cr_expect_eq(job->without_mpi[0].pid, 31);
    cr_assert_eq(job->ended_count, 1);
    cr_expect_eq(job->ended[0], 32);
    cr_expect_not(job->has_others);
    add(34, 21, "app", "", NOTHING);
    jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 1);
    cr_expect(jobs.items[0].has_others, "it may become rank 2");
    char name[] = "Name:\thydra_pmi_proxy\nState:\tR (running)\nPPid:\t21\nUid:\t77\t77\t77\t77\n";
    made_proc_write(34, "status", name, sizeof name - 1);
    jobs = discover_jobs(made_proc, 77);
    cr_assert_eq(jobs.count, 1);
    cr_expect(jobs.items[0].has_others, "a copy of the proxy, which has not called exec yet");
}
