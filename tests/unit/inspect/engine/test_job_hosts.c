/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The hosts of a job as its launchers and ranks have them: files of a /proc that was made up.
 */
#include "engine/engine.h"

#include "base/base.h"

#include "made_proc.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Pids that no process of this host has: launchers' tables are read from real processes. */
enum { RANK = 1 << 29, LAUNCHER, CHILD };

TestSuite(job_hosts, .init = made_proc_begin, .fini = made_proc_end);

static void write_process(int pid, const char *name, const char *command, size_t bytes)
{
    char *status = format_text("Name:\t%s\nState:\tS (sleeping)\nPid:\t%d\nPPid:\t1\nUid:\t0\t0\t0\t0\n", name, pid);
    made_proc_write_text(pid, "status", status);
    made_proc_write(pid, "cmdline", command, bytes);
    free(status);
}
#define WRITE_PROCESS(pid, name, command) write_process(pid, name, command, sizeof(command))
#define WRITE_ENVIRONMENT(pid, text)      made_proc_write(pid, "environ", text, sizeof(text))

static void write_children(int pid, const char *text)
{
    char *file = format_text("task/%d/children", pid);
    made_proc_write_text(pid, file, text);
    free(file);
}

static void expect_hosts(pid_t rank, pid_t launcher, const char *hosts, const char *slurm_job,
                         const char *launcher_host)
{
    struct job_hosts found = job_hosts_find(made_proc, rank, launcher);
    cr_expect_str_eq(host_list_join(&found.hosts), hosts);
    cr_expect_str_eq(found.slurm_job != NULL ? found.slurm_job : "none", slurm_job);
    cr_expect_str_eq(found.launcher_host != NULL ? found.launcher_host : "none", launcher_host);
}

static char *own_host(void)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return copy_text(name);
}

Test(job_hosts, nothing)
{
    expect_hosts(0, 0, "", "none", "none");
    expect_hosts(RANK, LAUNCHER, "", "none", "none");
}

Test(job_hosts, of_slurm)
{
    WRITE_ENVIRONMENT(RANK, "HOME=/\0SLURM_JOB_ID=8\0SLURM_STEP_NODELIST=n[2-3]\0SLURM_JOB_NODELIST=n[1-3]");
    expect_hosts(RANK, 0, "n1,n2,n3", "8", "none");
}

Test(job_hosts, of_heterogeneous_slurm)
{
    WRITE_ENVIRONMENT(RANK, "SLURM_JOB_ID=8\0SLURM_HET_SIZE=2\0SLURM_JOB_NODELIST=n[1-3]");
    expect_hosts(RANK, 0, "n1,n2,n3", "8", "none");
    struct job_hosts found = job_hosts_find(made_proc, RANK, 0);
    cr_expect_eq(found.slurm_components, 2);
    WRITE_ENVIRONMENT(RANK, "SLURM_JOB_ID=8\0SLURM_HET_SIZE=-7\0SLURM_JOB_NODELIST=n[1-3]");
    found = job_hosts_find(made_proc, RANK, 0);
    cr_expect_eq(found.slurm_components, 0);
}

Test(job_hosts, of_slurm_that_is_none)
{
    WRITE_ENVIRONMENT(RANK, "SLURM_JOB_ID=8;id\0SLURM_JOB_NODELIST=n[1-3]");
    expect_hosts(RANK, 0, "", "none", "none");
    WRITE_ENVIRONMENT(RANK, "SLURM_JOB_ID=8\0SLURM_JOB_NODELIST=n1,-oProxyCommand=id");
    expect_hosts(RANK, 0, "", "8", "none");
}

Test(job_hosts, of_open_mpi_4)
{
    WRITE_ENVIRONMENT(RANK, "OMPI_MCA_orte_node_regex=n[1:1-3]@0(3)");
    expect_hosts(RANK, 0, "n1,n2,n3", "none", "none");
}

Test(job_hosts, of_open_mpi_5)
{
    WRITE_ENVIRONMENT(RANK, "PMIX_NAMESPACE=prterun-login-1-55@1");
    expect_hosts(RANK, 0, "", "none", "login-1");
    WRITE_ENVIRONMENT(RANK, "PMIX_NAMESPACE=prterun--x-55@1");
    expect_hosts(RANK, 0, "", "none", "none");
}

Test(job_hosts, by_the_ssh_that_the_launcher_has_started)
{
    WRITE_PROCESS(LAUNCHER, "mpiexec.mpich", "mpiexec.mpich\0-n\0006");
    write_children(LAUNCHER, "536870914 536870915 536870916 536870917 536870918 ");
    WRITE_PROCESS(CHILD, "hydra_pmi_proxy", "/usr/bin/hydra_pmi_proxy\0--control-port\0n1:4");
    WRITE_PROCESS(CHILD + 1, "ssh", "/usr/bin/ssh\0-x\0n2\0/usr/bin/hydra_pmi_proxy\0--control-port\0n1:4");
    WRITE_PROCESS(CHILD + 2, "ssh", "ssh\0-o\0BatchMode=yes\0-p22\0-l\0me\0me@n3\0x");
    WRITE_PROCESS(CHILD + 3, "ssh", "ssh\0-x\0;id\0x");
    WRITE_PROCESS(CHILD + 4, "cat", "cat\0n7");
    char *own = own_host();
    char *hosts = format_text("%s,n2,n3", own);
    expect_hosts(0, LAUNCHER, hosts, "none", "none");
    expect_hosts(RANK, LAUNCHER, hosts, "none", "none");
    free(hosts);
    free(own);
}

Test(job_hosts, on_a_host_that_the_launcher_is_not_on)
{
    WRITE_PROCESS(LAUNCHER, "hydra_pmi_proxy", "/usr/bin/hydra_pmi_proxy\0--control-port\0n1:44277\0--rmk\0user");
    expect_hosts(RANK, LAUNCHER, "", "none", "n1");
    WRITE_PROCESS(LAUNCHER, "hydra_pmi_proxy", "/usr/bin/hydra_pmi_proxy\0--control-port\0-x:44277");
    expect_hosts(RANK, LAUNCHER, "", "none", "none");
    WRITE_PROCESS(LAUNCHER, "hydra_pmi_proxy", "/usr/bin/hydra_pmi_proxy\0--control-port");
    expect_hosts(RANK, LAUNCHER, "", "none", "none");
}

Test(job_hosts, by_the_words_of_the_launcher)
{
    char *own = own_host();
    char *line = format_text("prterun|--host|%s:2,n2:1|-n|4|--host=n3,-oProxyCommand=id|./app|--host", own);
    char *hosts = format_text("%s,n2,n3", own);
    const size_t bytes = strlen(line);
    for (size_t i = 0; i < bytes; i++)
        line[i] = line[i] == '|' ? '\0' : line[i];
    write_process(LAUNCHER, "prterun", line, bytes + 1);
    expect_hosts(RANK, LAUNCHER, hosts, "none", "none");
    expect_hosts(0, LAUNCHER, hosts, "none", "none");
    /* A word of the program: the job runs here. */
    WRITE_PROCESS(LAUNCHER, "prterun", "prterun\0-n\0004\0./app\0--host\0database");
    expect_hosts(RANK, LAUNCHER, "", "none", "none");
    free(line);
    free(hosts);
    free(own);
}

Test(job_hosts, by_a_file_of_the_launcher)
{
    char *own = own_host();
    char *file = format_text("%s/hosts", made_proc);
    char *lines = format_text("# hosts\n%s slots=2\nn2:4\n-oProxyCommand=id\n\nn3", own);
    char *hosts = format_text("%s,n2,n3", own);
    made_proc_write_text(LAUNCHER, "../hosts", lines);
    char *line = format_text("mpiexec|--hostfile|%s|./app", file);
    const size_t bytes = strlen(line);
    for (size_t i = 0; i < bytes; i++)
        line[i] = line[i] == '|' ? '\0' : line[i];
    write_process(LAUNCHER, "mpiexec", line, bytes + 1);
    expect_hosts(RANK, LAUNCHER, geteuid() == 0 ? hosts : "", "none", "none"); /* the process is root's */
    free(line);
    free(hosts);
    free(lines);
    free(file);
    free(own);
}

Test(job_hosts, numbers_of_slurm)
{
    static const char *const good[] = {"8", "12_3", "12+1"}, *const bad[] = {"", "x", "_1", "8 9", "-8", "8;id"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect(is_slurm_job(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(is_slurm_job(bad[i]), "%s", bad[i]);
    cr_expect_not(is_slurm_job("123456789012345678901234567890123"));
}
