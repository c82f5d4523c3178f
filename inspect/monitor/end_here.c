/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends what a job has on this host.
 */

#include "base/base.h"
#include "discover/discover.h"
#include "job/job.h"
#include "monitor/monitor_internal.h"

#include <string.h>
#include <time.h>

/* Ranks and daemons, as they were found. */
struct roots {
    const struct end_here_plan *plan;
    struct ending_process *items;
    size_t count;
};

static void add_root(struct roots *roots, pid_t pid)
{
    roots->items = arena_append(roots->items, &roots->count, sizeof *roots->items);
    roots->items[roots->count - 1] = (struct ending_process){.pid = pid, .start = process_start("/proc", pid)};
}

/* Others serve several jobs, or are the system's. */
static bool is_daemon_of_one_job(const char *name)
{
    static const char *const names[] = {"hydra_pmi_proxy", "pmi_proxy", "orted"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void add_daemons(struct roots *roots, pid_t rank)
{
    struct process_table above = process_table_read_above("/proc", rank);
    const struct process_status *status = process_table_find(&above, rank);
    const struct process_status *next = status != NULL ? process_table_find(&above, status->parent) : NULL;
    for (; next != NULL && next->user == status->user; next = process_table_find(&above, next->parent))
        if (is_daemon_of_one_job(next->name))
            add_root(roots, next->pid);
}

static void find_roots(const struct dll *dll, struct roots *roots)
{
    struct found_jobs jobs = find_jobs(dll, ANY_USER);
    const struct found_job *found;
    struct reason unread;
    if (roots->plan->identity != NULL && find_job_with_identity(dll, &jobs, roots->plan->identity, &found, &unread))
        for (size_t i = 0; i < found->rank_count; i++)
            add_root(roots, found->ranks[i].pid);
}

static bool is_of_root(const struct ending_process *root, const struct process_table *above, pid_t pid)
{
    return (root->pid == pid || process_table_has_ancestor(above, root->pid, pid)) &&
           process_start("/proc", root->pid) == root->start;
}

static bool is_ours(void *context, pid_t pid)
{
    const struct roots *roots = context;
    const struct arena_mark mark = arena_mark(); /* all processes of the host are asked about, again and again */
    const struct process_table above = process_table_read_above("/proc", pid);
    bool result = false;
    for (size_t i = 0; i < roots->count && !result; i++)
        result = is_of_root(&roots->items[i], &above, pid);
    arena_release(mark);
    return result || (roots->plan->mark != NULL && has_guard_mark(roots->plan->mark, pid));
}

/* False: something is left then, or, where it kills, when that does not help. */
static bool is_gone_in(struct process_end *end, double seconds, bool kills)
{
    static const struct timespec pause = {.tv_nsec = 100L * 1000 * 1000};
    const double until_s = monotonic_s() + seconds;
    for (;;) {
        const bool may_help = kills && process_end_kill(end);
        if (!process_end_is_left(end))
            return true;
        if (kills ? !may_help : monotonic_s() >= until_s)
            return false;
        nanosleep(&pause, NULL);
    }
}

double end_here_most_s(double patience_s)
{
    return patience_s + process_end_most_s();
}

int end_here(const struct dll *dll, const struct end_here_plan *plan, struct reason *ret_reason)
{
    struct roots roots = {.plan = plan};
    struct process_end end = {.is_ours = is_ours, .context = &roots};
    find_roots(dll, &roots);
    process_end_find(&end);
    for (size_t i = 0; i < end.count; i++)
        add_daemons(&roots, end.items[i].pid);
    process_end_find(&end);
    process_end_ask(&end);
    const bool is_gone = is_gone_in(&end, plan->patience_s, false) || is_gone_in(&end, 0, true);
    const char *left = is_gone ? NULL : process_end_explain(&end);
    if (left != NULL)
        reason_set(ret_reason, "%s", left);
    return left == NULL ? 0 : -1;
}
