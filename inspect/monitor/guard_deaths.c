/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the ranks of a guarded job that have ended, and how.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A later kill was not caused by that end. */
static const double longest_cleanup_s = 5;

enum { MOST_EVENTS = 64 };

/* struct pidfd_info of <linux/pidfd.h>, which is newer than the systems that this is compiled on. */
struct guard_deaths_process_end {
    uint64_t mask;
    uint64_t others[6];
    uint32_t other;
    int32_t exit_code;
};
enum { END_IS_KNOWN = 1 << 3 };
#define GET_PROCESS_END _IOWR(0xFF, 11, struct guard_deaths_process_end)

struct guard_deaths guard_deaths_begin(void)
{
    return (struct guard_deaths){.queue = epoll_create1(EPOLL_CLOEXEC), .since = time(NULL)};
}

void guard_deaths_clear(struct guard_deaths *deaths)
{
    for (size_t i = 0; i < deaths->count; i++) {
        close(deaths->items[i].file);
        free(deaths->items[i].directory);
    }
    free(deaths->items);
    if (deaths->queue >= 0)
        close(deaths->queue);
    *deaths = (struct guard_deaths){.queue = -1};
}

void guard_deaths_watch(struct guard_deaths *deaths, pid_t pid, int rank, bool is_of_launcher)
{
    for (size_t i = 0; i < deaths->count; i++)
        if (deaths->items[i].pid == pid && deaths->items[i].order == 0)
            return;
    const int file = deaths->queue >= 0 ? pidfd_open(pid, 0) : -1;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = deaths->count};
    if (file < 0)
        return;
    if (epoll_ctl(deaths->queue, EPOLL_CTL_ADD, file, &event) != 0) {
        close(file);
        return;
    }
    deaths->items = array_append(deaths->items, &deaths->count, sizeof *deaths->items);
    deaths->items[deaths->count - 1] = (struct guard_death){.pid = pid,
                                                            .rank = rank,
                                                            .is_of_launcher = is_of_launcher,
                                                            .file = file,
                                                            .directory = read_process_link("/proc", pid, "cwd")};
}

size_t guard_deaths_note(struct guard_deaths *deaths)
{
    const size_t before = deaths->ended;
    struct epoll_event events[MOST_EVENTS]; /* in the order in which they came */
    for (int count = MOST_EVENTS; count == MOST_EVENTS;) {
        count = deaths->queue >= 0 ? epoll_wait(deaths->queue, events, MOST_EVENTS, 0) : 0;
        const double at_s = monotonic_s();
        for (int i = 0; i < count; i++) {
            struct guard_death *death = &deaths->items[events[i].data.u64];
            const int status = process_wait_status("/proc", death->pid);
            death->is_known = status >= 0;
            death->status = status >= 0 ? status : 0;
            death->order = ++deaths->ended;
            death->at_s = at_s;
            epoll_ctl(deaths->queue, EPOLL_CTL_DEL, death->file, NULL);
        }
    }
    return deaths->ended - before;
}

void guard_deaths_finish(struct guard_deaths *deaths)
{
    guard_deaths_note(deaths);
    for (size_t i = 0; i < deaths->count; i++) {
        struct guard_death *death = &deaths->items[i];
        struct guard_deaths_process_end end = {.mask = END_IS_KNOWN};
        if (death->order == 0 || death->is_known || ioctl(death->file, GET_PROCESS_END, &end) != 0 ||
            (end.mask & END_IS_KNOWN) == 0)
            continue;
        death->is_known = true;
        death->status = end.exit_code;
    }
}

/* The death of that process, which is added where it was not watched: the launcher had started it just before. */
static struct guard_death *take_death(struct guard_deaths *deaths, const struct process *process)
{
    struct guard_death *death = NULL;
    for (size_t i = 0; i < deaths->count && death == NULL; i++)
        death = deaths->items[i].pid == process->pid ? &deaths->items[i] : NULL;
    if (death == NULL) {
        deaths->items = array_append(deaths->items, &deaths->count, sizeof *deaths->items);
        death = &deaths->items[deaths->count - 1];
        *death = (struct guard_death){.pid = process->pid, .rank = process->rank, .file = -1};
    }
    if (death->order == 0) {
        death->order = ++deaths->ended;
        death->at_s = monotonic_s();
    }
    return death;
}

static bool is_in_call(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0')
            return true;
    return false;
}

/* How a process has ended, as of waitpid; -1: its black box does not say it, nor a core file. exit() within MPI is
 * called by a handler of the signal that a launcher sends for another rank; behind exit(), MPI_Finalize may follow. */
static int end_of_box(const struct process *process)
{
    enum { CORE_DUMPED = 0x80 };
    if (has_left_early(process) && process->state == PROCESS_RUNNING && !is_in_call(process))
        return W_EXITCODE((int)process->exit_status - 1, 0);
    if (process->crash_signal != 0)
        return (int)process->crash_signal | CORE_DUMPED;
    return -1;
}

void guard_deaths_note_boxes(struct guard_deaths *deaths, const struct job *ended)
{
    for (size_t i = 0; i < ended->process_count; i++) {
        const struct process *process = &ended->processes[i];
        const int status = end_of_box(process);
        if (status < 0)
            continue;
        struct guard_death *death = take_death(deaths, process);
        death->has_left = WIFEXITED(status);
        if (!death->is_known)
            death->status = status;
        death->is_known = true;
    }
}

static bool was_killed(const struct guard_death *death)
{
    return death->is_known && WIFSIGNALED(death->status) &&
           (WTERMSIG(death->status) == SIGKILL || WTERMSIG(death->status) == SIGTERM);
}

static const struct guard_death *find_first(const struct guard_deaths *deaths,
                                            bool (*is_wanted)(const struct guard_death *death))
{
    const struct guard_death *first = NULL;
    for (size_t i = 0; i < deaths->count; i++) {
        const struct guard_death *death = &deaths->items[i];
        if (death->order > 0 && is_wanted(death) && (first == NULL || death->order < first->order))
            first = death;
    }
    return first;
}

static bool has_failed_itself(const struct guard_death *death)
{
    return death->is_known && death->status != 0 && !was_killed(death);
}

static bool has_left(const struct guard_death *death)
{
    return death->has_left && !was_killed(death);
}

static bool is_unknown(const struct guard_death *death)
{
    return !death->is_known;
}

static bool may_have_ended_well(const struct guard_death *death)
{
    return !death->is_known || death->status == 0;
}

/* Launchers kill the others when one has ended too early. Of those whose ends were noticed at once the order is not
 * certain: a process with threads has ended only when all of them have. */
static bool was_killed_for(const struct guard_death *killed, const struct guard_death *good)
{
    return good->at_s == killed->at_s ||
           (good->order < killed->order && killed->at_s - good->at_s <= longest_cleanup_s);
}

const struct guard_death *guard_deaths_find_first(const struct guard_deaths *deaths, bool has_failed)
{
    const struct guard_death *failed = find_first(deaths, has_failed_itself);
    const struct guard_death *killed = find_first(deaths, was_killed);
    const struct guard_death *good = find_first(deaths, may_have_ended_well);
    const struct guard_death *left = find_first(deaths, has_left);
    if (failed != NULL && left != NULL)
        return left->order < failed->order ? left : failed;
    if (failed != NULL || left != NULL)
        return failed != NULL ? failed : left;
    if (killed == NULL)
        return has_failed ? find_first(deaths, is_unknown) : NULL;
    return good != NULL && was_killed_for(killed, good) ? good : killed;
}
