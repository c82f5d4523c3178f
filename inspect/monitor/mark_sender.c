/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at the ranks of a host and sends marks of their progress.
 */

#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "gather/gather.h"
#include "job/job.h"
#include "monitor/monitor_internal.h"
#include "part/part.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* While a job starts, its ranks come one after the other. A process whose memory did not answer is left alone for as
 * many looks: on a machine that is starved, it may well answer later. */
enum { FIRST_LOOKS = 3 };

struct sender {
    const struct dll *dll;
    const struct mark_plan *plan;
    char *identity;     /* NULL: not known yet */
    struct arena arena; /* of the jobs, which many looks may use */
    struct found_jobs jobs;
    const struct found_job *found; /* one of them; NULL: no rank is here */
    int looks;
    bool was_found;
    struct guard_reading before;
    double quiet_s;
    int input; /* -1: nobody says anything on it */
    bool was_told;
};

static int find_ranks(struct sender *sender, struct reason *ret_reason)
{
    struct reason unread;
    pid_t pid;
    int count = 0;
    arena_clear(&sender->arena);
    struct arena *outer = arena_use(&sender->arena);
    sender->found = NULL;
    sender->jobs = find_jobs(sender->dll, ANY_USER);
    if (sender->identity != NULL)
        find_job_with_identity(sender->dll, &sender->jobs, sender->identity, &sender->found, &unread);
    else
        count = wide_job_find_only(sender->dll, sender->plan->slurm_job, &pid, ret_reason);
    if (count > 0)
        sender->found = find_job_of(&sender->jobs, pid);
    arena_use(outer);
    return count < 0 ? -1 : 0;
}

static bool has_lost_rank(const struct sender *sender)
{
    for (size_t i = 0; i < sender->found->rank_count; i++)
        if (process_has_ended("/proc", sender->found->ranks[i].pid))
            return true;
    return false;
}

/* Other jobs of this user may come and go. */
static void keep_identity(struct sender *sender, const struct job *job)
{
    for (size_t i = 0; i < job->process_count && sender->identity == NULL; i++)
        if (job->processes[i].reason == NULL && job->processes[i].job_identity[0] != '\0')
            sender->identity = copy_text(job->processes[i].job_identity);
}

/* How many ranks could be read. */
static size_t look(struct sender *sender)
{
    const struct collect_plan plan = {.depth = COLLECT_SAMPLE};
    struct guard_reading reading = {.at_s = monotonic_s()};
    struct job job;
    if (sender->found == NULL)
        return 0;
    read_found_job(sender->dll, sender->found, false, &plan, &job);
    keep_identity(sender, &job);
    guard_reading_add(&reading, &job);
    job_clear(&job);
    sender->quiet_s = sender->before.process_count == 0 || reading.process_count == 0
                          ? 0
                          : guard_quiet_time(sender->quiet_s, &sender->before, &reading, 2 * sender->plan->interval_s);
    arena_clear(&sender->before.arena);
    sender->before = reading;
    return reading.process_count;
}

/* False: the asking process is gone. An engine that gives no standard input ends it at once. */
static bool take_input(struct sender *sender)
{
    char bytes[64];
    const ssize_t count = read(sender->input, bytes, sizeof bytes);
    if (count > 0)
        sender->was_told = true;
    if (count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN)))
        return true;
    sender->input = -1;
    return !sender->was_told;
}

static bool wait_for_next(struct sender *sender)
{
    const double until_s = monotonic_s() + sender->plan->interval_s;
    double left_s = sender->plan->interval_s;
    while (left_s > 0) {
        struct pollfd input = {.fd = sender->input, .events = POLLIN};
        const struct timespec time = {.tv_sec = (time_t)left_s,
                                      .tv_nsec = (long)((left_s - (double)(time_t)left_s) * 1e9)};
        if (ppoll(&input, 1, &time, NULL) > 0 && !take_input(sender))
            return false;
        left_s = until_s - monotonic_s();
    }
    return true;
}

static enum exit_status send_all(struct sender *sender, struct reason *ret_reason)
{
    for (;; sender->looks++) {
        if (sender->looks == FIRST_LOOKS)
            blocked_read_forget();
        if ((sender->looks <= FIRST_LOOKS || sender->found == NULL || has_lost_rank(sender)) &&
            find_ranks(sender, ret_reason) != 0)
            return EXIT_UNREADABLE;
        if (sender->found == NULL && sender->was_found)
            return EXIT_GOOD;
        sender->was_found = sender->found != NULL;
        const struct arena_mark mark = arena_mark();
        const size_t ranks = look(sender);
        arena_release(mark);
        if (part_write_mark(stdout, sender->plan->host, sender->quiet_s, ranks) != 0) {
            reason_set(ret_reason, "standard output: %s", strerror(errno));
            return EXIT_UNREADABLE;
        }
        if (!wait_for_next(sender))
            return EXIT_GOOD;
    }
}

enum exit_status send_marks(const struct dll *dll, const struct mark_plan *plan, struct reason *ret_reason)
{
    struct sender sender = {.dll = dll,
                            .plan = plan,
                            .identity = plan->identity != NULL ? copy_text(plan->identity) : NULL,
                            .input = STDIN_FILENO};
    const enum exit_status status = send_all(&sender, ret_reason);
    arena_clear(&sender.arena);
    arena_clear(&sender.before.arena);
    free(sender.identity);
    return status;
}
