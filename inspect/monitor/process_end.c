/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds, signals and names processes that are to end.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "kernel/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <unistd.h>

enum { MOST_NAMES = 8 };

/* For the kernel to do what SIGKILL says, and for all in turn: on a busy host, one search for processes may take as
 * long, while others are started. */
static const double patience_s = 5, most_s = 30;

/* The process that was found, and no other that has its pid now. -1: it is gone, or this kernel has no pidfds, for
 * which errno is ENOSYS. */
static int open_process(const struct ending_process *process)
{
    const int file = pidfd_open(process->pid, 0);
    if (file >= 0 && process_start("/proc", process->pid) != process->start) {
        close(file);
        errno = ESRCH;
        return -1;
    }
    return file;
}

static bool is_left(const struct ending_process *process)
{
    struct pollfd end = {.fd = open_process(process), .events = POLLIN};
    if (end.fd < 0)
        return errno != ESRCH && process_start("/proc", process->pid) == process->start &&
               !process_has_ended("/proc", process->pid);
    const bool has_ended = poll(&end, 1, 0) > 0;
    close(end.fd);
    return !has_ended;
}

static void send_signal(const struct ending_process *process, int number)
{
    const int file = open_process(process);
    if (file >= 0) {
        pidfd_send_signal(file, number, NULL, 0);
        close(file);
    } else if (errno != ESRCH && process_start("/proc", process->pid) == process->start) {
        kill(process->pid, number);
    }
}

/* Reads the start before and after: the answers in between belong to this process. */
static bool take(const struct process_end *end, pid_t pid, struct ending_process *ret_process)
{
    const struct ending_process process = {.pid = pid, .start = process_start("/proc", pid)};
    if (process.start == 0 || !end->is_ours(end->context, pid) || !is_left(&process))
        return false;
    *ret_process = process;
    return true;
}

static bool is_among(const struct ending_process *items, size_t count, pid_t pid)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].pid == pid)
            return true;
    return false;
}

/* Keeps what is left of those that were found before: their parents may be gone, by which they were known. */
static void find(void *context)
{
    struct process_end *end = context;
    struct ending_process *items = NULL, process;
    size_t count = 0;
    for (size_t i = 0; i < end->count; i++)
        if (is_left(&end->items[i])) {
            items = arena_append(items, &count, sizeof *items);
            items[count - 1] = end->items[i];
        }
    DIR *directory = opendir("/proc");
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const pid_t pid = (pid_t)atol(entry->d_name);
        if (pid <= 0 || pid == getpid() || is_among(items, count, pid) || !take(end, pid, &process))
            continue;
        items = arena_append(items, &count, sizeof *items);
        items[count - 1] = process;
        end->has_new = true;
    }
    if (directory != NULL)
        closedir(directory);
    arena_drop(end->items);
    end->items = items;
    end->count = count;
}

void process_end_find(struct process_end *end)
{
    blocked_read_leave_out(find, end); /* any process of the host may be hostile */
}

static bool is_any_left(const struct process_end *end)
{
    for (size_t i = 0; i < end->count; i++)
        if (is_left(&end->items[i]))
            return true;
    return false;
}

bool process_end_is_left(struct process_end *end)
{
    if (is_any_left(end))
        return true;
    process_end_find(end);
    return end->count > 0;
}

/* SIGTERM first: a stopped process does nothing else before it takes that. */
void process_end_ask(const struct process_end *end)
{
    static const int numbers[] = {SIGTERM, SIGCONT};
    for (size_t number = 0; number < sizeof numbers / sizeof *numbers; number++)
        for (size_t i = 0; i < end->count; i++)
            send_signal(&end->items[i], numbers[number]);
}

static bool is_to_end(void *context, pid_t pid)
{
    const struct process_end *end = context;
    return is_among(end->items, end->count, pid) || end->is_ours(end->context, pid);
}

static int thaw(struct process_end *end, const struct ending_process *process, struct reason *ret_reason)
{
    return control_group_thaw("/proc", "/sys/fs/cgroup", process->pid, is_to_end, end, ret_reason);
}

double process_end_most_s(void)
{
    return most_s;
}

bool process_end_kill(struct process_end *end)
{
    struct reason reason;
    process_end_find(end);
    const double now_s = monotonic_s();
    if (end->began_s == 0)
        end->began_s = now_s;
    if (end->has_new || end->began_s == now_s)
        end->renewed_s = now_s;
    end->has_new = false;
    for (size_t i = 0; i < end->count; i++)
        send_signal(&end->items[i], SIGKILL);
    for (size_t i = 0; i < end->count; i++)
        thaw(end, &end->items[i], &reason);
    return now_s < end->renewed_s + patience_s && now_s < end->began_s + most_s;
}

const char *process_end_names(const struct process_end *end)
{
    const char *text = "";
    size_t named = 0, more = 0;
    for (size_t i = 0; i < end->count; i++) {
        struct process_status status;
        if (!is_left(&end->items[i]) || !read_process_status("/proc", end->items[i].pid, &status))
            continue;
        if (named == MOST_NAMES)
            more++;
        else
            text = arena_text("%s%s%ld (%s)", text, named++ > 0 ? ", " : "", (long)status.pid, status.name);
    }
    return more == 0 ? text : arena_text("%s and %zu more", text, more);
}

static const char *explain(struct process_end *end, const struct ending_process *process,
                           const struct process_status *status)
{
    struct reason reason;
    struct thread_state state;
    if (thaw(end, process, &reason) != 0)
        return arena_copy(reason.text);
    if (geteuid() != 0 && status->user != geteuid())
        return arena_text("it runs as user %ld", (long)status->user);
    if (!thread_state_read("/proc", process->pid, process->pid, &state))
        return "its main thread has ended";
    if (state.state == 'D')
        return arena_text("it is in an uninterruptible wait in the kernel%s%s",
                          state.kernel_function[0] != '\0' ? ", " : "", state.kernel_function);
    return arena_text("its state is %c", state.state);
}

const char *process_end_explain(struct process_end *end)
{
    for (size_t i = 0; i < end->count; i++) {
        struct process_status status;
        if (!is_left(&end->items[i]) || !read_process_status("/proc", end->items[i].pid, &status))
            continue;
        return arena_text("process %ld (%s) is left: %s", (long)status.pid, status.name,
                          explain(end, &end->items[i], &status));
    }
    return NULL;
}
