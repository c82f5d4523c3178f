/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the options to a job that was read on its hosts.
 */
#include "verbs/read_hosts.h"

#include "engine/engine.h"
#include "gather/gather.h"
#include "gather/wide_job.h"

#include <stdlib.h>
#include <string.h>

/* A name in the table, or the words of an engine of the user. */
static int choose_engine(const char *text, struct gather_request *request, struct reason *ret_reason)
{
    if (text == NULL || text[0] == '\0')
        return 0;
    request->engine = engine_by_name(text);
    if (request->engine != NULL)
        return 0;
    if (strpbrk(text, " %/") == NULL) {
        char *names = engine_names();
        reason_set(ret_reason, "there is no engine '%s': name %s, or a command with %%h for the hosts", text, names);
        free(names);
        return -1;
    }
    request->engine = &engine_of_words;
    request->engine_words = text;
    return 0;
}

static enum exit_status gather(const struct dll *dll, const struct options *options, const struct job_request *request,
                               const struct host_reading *reading, const struct wide_job *wide, struct job *ret_job,
                               struct reason *ret_reason)
{
    struct gather_request asked = {.hosts = &wide->where.hosts,
                                   .identity = wide->identity,
                                   .slurm_job = wide->where.slurm_job,
                                   .timeout_s = options->hosts.timeout_s,
                                   .interval_s = options->interval_s,
                                   .two_rounds = reading->two_rounds && options->samples > 1,
                                   .stop = request->stop,
                                   .stacks = request->stacks,
                                   .full = reading->full,
                                   .plan = request->plan,
                                   .rank_hosts = wide->rank_hosts,
                                   .rank_host_count = wide->rank_host_count};
    choose_engine(options->hosts.engine, &asked, ret_reason);
    return gather_job(dll, &asked, ret_job, ret_reason);
}

bool read_hosts(const struct dll *dll, const struct options *options, const struct job_request *request,
                const struct host_reading *reading, struct job *ret_job, enum exit_status *ret_status,
                struct reason *ret_reason)
{
    const struct wide_job_request asked = {.targets = request->targets,
                                           .target_count = request->target_count,
                                           .hosts = options->hosts.list,
                                           .slurm_job = options->hosts.slurm_job,
                                           .rank_is_alone = reading->rank_is_alone};
    struct gather_request unused = {.engine = NULL};
    struct wide_job wide;
    if (options->hosts.here)
        return false;
    if (choose_engine(options->hosts.engine, &unused, ret_reason) != 0) { /* also where none is needed */
        *ret_status = EXIT_USAGE;
        return true;
    }
    switch (wide_job_find(dll, &asked, &wide, ret_reason)) {
    case WIDE_JOB_HOSTS:
        *ret_status = gather(dll, options, request, reading, &wide, ret_job, ret_reason);
        wide_job_clear(&wide);
        return true;
    case WIDE_JOB_ERROR:
        *ret_status = EXIT_USAGE;
        return true;
    default:
        return false;
    }
}
