/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes them from the one that starts all others.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Where the kernel's own threads are to be seen, it has this number. */
enum { FIRST = 2 };

/* In a container any process may have that number and any name. Ended processes also have no memory. */
static bool is_of_kernel(const char *proc)
{
    struct process_status status;
    size_t bytes;
    if (!read_process_status(proc, FIRST, &status) || status.parent != 0 || status.user != 0 || status.state == 'Z' ||
        status.state == 'X' || strcmp(status.name, "kthreadd") != 0)
        return false;
    char *text = read_process_file(proc, FIRST, "status", &bytes);
    const bool has_memory = text == NULL || strstr(text, "\nVmSize:") != NULL;
    free(text);
    return !has_memory;
}

static int compare(const void *left_pid, const void *right_pid)
{
    const pid_t left = *(const pid_t *)left_pid, right = *(const pid_t *)right_pid;
    return left < right ? -1 : left > right;
}

static void add(struct kernel_threads *threads, pid_t pid)
{
    threads->pids = arena_append(threads->pids, &threads->count, sizeof *threads->pids);
    threads->pids[threads->count - 1] = pid;
}

struct kernel_threads kernel_threads_list(const char *proc)
{
    struct kernel_threads threads = {.count = 0};
    size_t bytes;
    char *children = is_of_kernel(proc) ? read_process_file(proc, FIRST, "task/2/children", &bytes) : NULL;
    char *next = children, *end;
    for (long pid; next != NULL && (pid = strtol(next, &end, 10), end != next); next = end)
        add(&threads, (pid_t)pid);
    free(children);
    if (threads.count > 0)
        qsort(threads.pids, threads.count, sizeof *threads.pids, compare);
    return threads;
}

bool kernel_threads_have(const struct kernel_threads *threads, pid_t pid)
{
    return threads->count > 0 && bsearch(&pid, threads->pids, threads->count, sizeof *threads->pids, compare) != NULL;
}
