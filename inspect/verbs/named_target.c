/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A TARGET that is neither a process nor a file.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "gather/gather.h"
#include "job/job.h"

/* Neither a process that is there nor one that has left a black box. */
static bool is_unknown_pid(pid_t pid)
{
    const struct ended_choice choice = {.pid = pid, .most = 1};
    struct process_status status;
    struct box_targets *boxes = NULL;
    if (read_process_status("/proc", pid, &status))
        return false;
    return ended_jobs_find(&choice, &boxes) == 0;
}

/* Whether Slurm runs a job of this number. */
static bool is_slurm_number(const char *target)
{
    struct job_hosts hosts = {.slurm_job = NULL};
    struct reason reason;
    return slurm_find_job(target, &hosts, &reason) == 0;
}

enum exit_status named_target_find(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    const bool has_hosts = options->has_hosts;
    const bool is_told = options->slurm_job != NULL || options->hosts.list != NULL;
    pid_t pid;
    bool several;
    if (options->target_count != 1 || is_told)
        return EXIT_GOOD;
    if (target_parse_pid(options->targets[0], &pid)) {
        if (has_hosts && !options->hosts.here && is_unknown_pid(pid) && is_slurm_number(options->targets[0])) {
            print_line(stderr, "mpilens: %s is no process here: it is taken for the job of Slurm", options->targets[0]);
            options->slurm_job = options->targets[0];
            options->target_count = 0;
        }
        return EXIT_GOOD;
    }
    switch (named_job_find(dll, options->targets[0], &pid, &several, ret_reason)) {
    case 1:
        options->targets[0] = (char *)arena_text("%ld", (long)pid);
        return EXIT_GOOD;
    case 0:
        return EXIT_GOOD;
    default:
        return several ? EXIT_USAGE : EXIT_UNREADABLE;
    }
}
