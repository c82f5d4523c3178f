/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens hosts: lists the hosts of a job. On another host of the job, mpilens asks the host on which the launcher
 * runs.
 */
#include "gather/gather.h"
#include "job/job.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char description[] = "List the hosts of a job, as far as they are known on this one, a line each.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun), or the identity of a job "
    "(job.identity of --json). Without TARGET, the only job of this user on this host is meant, or in Slurm.\n\n"
    "The hosts are those that launcher or ranks name: MPIR_proctable, SLURM_JOB_NODELIST, Open MPI's list of nodes, "
    "or the ssh processes that the launcher has started. The other verbs read the job on these hosts.\n\n"
    "Exit status: 0 the hosts are listed, 2 wrong usage, 3 they are not known here.\n\n"
    "Examples:\n"
    "  mpilens hosts\n"
    "  mpilens hosts --slurm 4711";

static enum exit_status find(const struct dll *dll, struct options *options, struct host_list *ret_hosts,
                             struct reason *ret_reason)
{
    struct wide_job job;
    pid_t pid;
    if (options->target_count == 1 && read_identity_word(options->targets[0])) {
        if (wide_job_find_hosts(dll, options->targets[0], ret_hosts))
            return EXIT_GOOD;
        reason_set(ret_reason, "the hosts of the job '%s' are not known on this host", options->targets[0]);
        return EXIT_UNREADABLE;
    }
    const enum exit_status named = named_target_find(dll, options, ret_reason);
    if (named != EXIT_GOOD)
        return named;
    const struct wide_job_request request = {.targets = options->targets,
                                             .target_count = options->target_count,
                                             .hosts = options->hosts.list,
                                             .slurm_job = options->slurm_job};
    switch (wide_job_find(dll, &request, &job, ret_reason)) {
    case WIDE_JOB_HOSTS:
        *ret_hosts = job.where.hosts;
        return EXIT_GOOD;
    case WIDE_JOB_SEVERAL:
        reason_set(ret_reason, SEVERAL_JOBS_OF_SLURM);
        return EXIT_USAGE;
    case WIDE_JOB_HERE:
        if (options->target_count == 0 && wide_job_find_only(dll, NULL, &pid, ret_reason) < 0)
            return EXIT_USAGE;
        reason_set(ret_reason, "no job of this user on this host is known to have ranks on other hosts");
        return EXIT_UNREADABLE;
    default:
        return EXIT_USAGE;
    }
}

static enum exit_status list(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    struct host_list hosts = {.count = 0};
    enum exit_status status = find(dll, options, &hosts, ret_reason);
    for (size_t i = 0; status == EXIT_GOOD && i < hosts.count; i++)
        print_line(stdout, "%s", hosts.names[i]);
    if (status == EXIT_GOOD && fflush(stdout) != 0)
        status = EXIT_UNREADABLE;
    return status;
}

enum exit_status verb_hosts(int argument_count, char **arguments)
{
    static const struct job_verb verb = {.description = description,
                                         .more = more,
                                         .options = OPTIONS_TARGETS | OPTIONS_HOSTS,
                                         .keeps_target = true,
                                         .run = list};
    return job_verb_run(&verb, argument_count, arguments);
}
