/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs an engine that ends ranks.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "discover/discover.h"
#include "gather/gather.h"
#include "text/text.h"

#include <string.h>

struct search {
    const struct dll *dll;
    const struct host_reach *reach;
    pid_t process;
    bool is_found;
    struct wide_job job;
};

static void find(void *context)
{
    struct search *search = context;
    char pid[32], *target = pid;
    struct reason reason;
    snprintf(pid, sizeof pid, "%ld", (long)search->process);
    const struct wide_job_request request = {.targets = &target, .target_count = 1, .hosts = search->reach->hosts};
    search->is_found = wide_job_find(search->dll, &request, &search->job, &reason) == WIDE_JOB_HOSTS;
    if (search->is_found && search->job.identity == NULL)
        search->job.identity = arena_take(launcher_identity_below("/proc", search->process));
}

bool end_hosts_find(struct end_hosts *hosts, const struct dll *dll, const struct host_reach *reach, pid_t process)
{
    struct search search = {.dll = dll, .reach = reach, .process = process};
    if (!blocked_read_leave_out(find, &search) || !search.is_found)
        return false;
    hosts->jobs = arena_append(hosts->jobs, &hosts->count, sizeof *hosts->jobs);
    hosts->jobs[hosts->count - 1] = search.job;
    return true;
}

static double most_s_of_job(const struct end_hosts_plan *plan)
{
    return plan->reach->timeout_s + end_here_most_s(plan->patience_s);
}

double end_hosts_most_s(const struct end_hosts *hosts, const struct end_hosts_plan *plan)
{
    return (double)hosts->count * most_s_of_job(plan);
}

/* Hosts on which ending ranks has failed for the same reason. */
struct failure {
    const char *reason;
    struct host_list hosts;
};

struct failures {
    struct failure *items;
    size_t count;
};

static void note_failure(void *context, const char *host, const char *reason)
{
    struct failures *failures = context;
    size_t number = 0;
    while (number < failures->count && strcmp(failures->items[number].reason, reason) != 0)
        number++;
    if (number == failures->count) {
        failures->items = arena_append(failures->items, &failures->count, sizeof *failures->items);
        failures->items[number] = (struct failure){.reason = arena_copy(reason)};
    }
    host_list_add(&failures->items[number].hosts, host);
}

static void tell_failures(FILE *stream, const struct failures *failures)
{
    for (size_t i = 0; i < failures->count; i++) {
        const struct failure *failure = &failures->items[i];
        print_line(stream, "mpilens guard: ranks may be left on %s: %s", host_list_fold(&failure->hosts),
                   failure->reason);
    }
}

static struct host_list other_hosts(const struct host_list *all)
{
    struct host_list others = {.count = 0};
    for (size_t i = 0; i < all->count; i++)
        if (!is_this_host(all->names[i]))
            host_list_add(&others, all->names[i]);
    return others;
}

static void end_job(FILE *stream, const struct wide_job *job, const struct end_hosts_plan *plan)
{
    struct host_list hosts = other_hosts(&job->where.hosts);
    if (hosts.count == 0)
        return;
    const char *const words[] = {arena_text("--end=%.3gs", plan->patience_s), arena_text("--guard=%s", plan->mark),
                                 NULL};
    struct failures failures = {.count = 0};
    struct reason reason;
    size_t lost;
    const struct gather_request request = {.hosts = &hosts,
                                           .identity = job->identity,
                                           .slurm_job = job->where.slurm_job,
                                           .slurm_components = job->where.slurm_components,
                                           .engine = plan->reach->engine,
                                           .engine_words = plan->reach->engine_words,
                                           .timeout_s = most_s_of_job(plan),
                                           .ship = plan->reach->ship,
                                           .lost = &lost,
                                           .more_words = words,
                                           .on_lost = note_failure,
                                           .context = &failures};
    struct job none;
    if (gather_job(plan->dll, &request, &none, &reason) == EXIT_GOOD)
        job_clear(&none);
    else if (failures.count == 0 && lost > 0) /* nobody was asked */
        for (size_t i = 0; i < hosts.count; i++)
            note_failure(&failures, hosts.names[i], reason.text);
    tell_failures(stream, &failures);
}

void end_hosts_run(FILE *stream, const struct end_hosts *hosts, const struct end_hosts_plan *plan)
{
    for (size_t i = 0; i < hosts->count; i++)
        end_job(stream, &hosts->jobs[i], plan);
}
