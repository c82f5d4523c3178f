/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the options to a job that was read on its hosts.
 */
#include "verbs/verbs_internal.h"

#include "gather/gather.h"
#include "job/job.h"

/* No job runs on the hosts: the last one that has ended here, if any. Black boxes do not say to which job of Slurm they
 * belong, so they are no answer where the user has named one. */
static enum exit_status gather_ended(const struct dll *dll, struct gather_request *asked, bool is_named,
                                     struct job *ret_job, struct reason *ret_reason)
{
    static const struct ended_choice last = {.most = 1};
    const bool may_be_of_hosts = asked->slurm_job == NULL || (!is_named && host_list_find_own(asked->hosts) != NULL);
    const char *identity = may_be_of_hosts ? ended_job_identity(&last) : NULL;
    enum exit_status status = EXIT_UNREADABLE;
    struct reason reason;
    asked->identity = identity;
    if (identity != NULL)
        status = gather_job(dll, asked, ret_job, &reason);
    if (identity != NULL && status == EXIT_GOOD) {
        job_note_end(ret_job, &last);
        ret_reason->text[0] = '\0';
    }
    return status;
}

enum exit_status read_wide_job(const struct dll *dll, const struct options *options, const struct job_request *request,
                               const struct host_reading *reading, const struct wide_job *wide, struct job *ret_job,
                               size_t *ret_lost, struct reason *ret_reason)
{
    struct host_reach reach;
    if (host_options_reach(&options->hosts, &reach, ret_reason) != 0)
        return EXIT_USAGE;
    struct gather_request asked = {.hosts = &wide->where.hosts,
                                   .identity = wide->identity,
                                   .slurm_job = wide->where.slurm_job,
                                   .slurm_components = wide->where.slurm_components,
                                   .engine = reach.engine,
                                   .engine_words = reach.engine_words,
                                   .timeout_s = reach.timeout_s,
                                   .ship = reach.ship,
                                   .interval_s = options->interval_s,
                                   .two_rounds = reading->two_rounds && options->samples > 1,
                                   .stop = request->stop,
                                   .stacks = request->stacks,
                                   .full = reading->full,
                                   .plan = request->plan,
                                   .rank_hosts = wide->rank_hosts,
                                   .rank_host_count = wide->rank_host_count};
    asked.lost = ret_lost;
    const enum exit_status status = gather_job(dll, &asked, ret_job, ret_reason);
    if (status != EXIT_UNREADABLE || wide->identity != NULL || !request->may_have_ended)
        return status;
    return gather_ended(dll, &asked, options->slurm_job != NULL, ret_job, ret_reason);
}

enum wide_job_status find_hosts(const struct dll *dll, const struct options *options, const struct job_request *request,
                                const struct host_reading *reading, struct wide_job *ret_wide,
                                struct reason *ret_reason)
{
    const struct wide_job_request asked = {.targets = request->targets,
                                           .target_count = request->target_count,
                                           .hosts = options->hosts.list,
                                           .slurm_job = options->slurm_job,
                                           .rank_is_alone = reading->rank_is_alone};
    struct host_reach unused;
    if (options->hosts.here)
        return WIDE_JOB_HERE;
    if (host_options_reach(&options->hosts, &unused, ret_reason) != 0) /* also where none is needed */
        return WIDE_JOB_ERROR;
    const enum wide_job_status status = wide_job_find(dll, &asked, ret_wide, ret_reason);
    if (status == WIDE_JOB_SEVERAL)
        print_line(stderr, "mpilens: " SEVERAL_JOBS_OF_SLURM);
    return status;
}

bool read_hosts(const struct dll *dll, const struct options *options, const struct job_request *request,
                const struct host_reading *reading, struct job *ret_job, enum exit_status *ret_status,
                struct reason *ret_reason)
{
    struct wide_job wide;
    size_t lost;
    switch (find_hosts(dll, options, request, reading, &wide, ret_reason)) {
    case WIDE_JOB_HOSTS:
        *ret_status = read_wide_job(dll, options, request, reading, &wide, ret_job, &lost, ret_reason);
        return true;
    case WIDE_JOB_ERROR:
        *ret_status = EXIT_USAGE;
        return true;
    default:
        return false;
    }
}
