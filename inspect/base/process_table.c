/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the status of every process once.
 */
#include "base/base.h"

#include <dirent.h>
#include <stdlib.h>

static int compare_pids(const void *left_status, const void *right_status)
{
    const pid_t left = ((const struct process_status *)left_status)->pid;
    const pid_t right = ((const struct process_status *)right_status)->pid;
    return left < right ? -1 : left > right;
}

/* A chain of parents longer than this is a damaged /proc. */
enum { MOST_ANCESTORS = 1000 };

static void add(struct process_table *table, const struct process_status *status)
{
    table->items = arena_append(table->items, &table->count, sizeof *table->items);
    table->items[table->count - 1] = *status;
}

static void sort(struct process_table *table)
{
    if (table->count > 1)
        qsort(table->items, table->count, sizeof *table->items, compare_pids);
}

/* Whether another process has become the parent since. */
static bool has_new_parent(const char *proc, struct process_status *child)
{
    struct process_status now;
    if (!read_process_status(proc, child->pid, &now) || now.parent == child->parent)
        return false;
    child->parent = now.parent;
    return true;
}

/* A parent that is still one after it was read was one then: another process may have been given the pid before. */
struct process_table process_table_read_above(const char *proc, pid_t pid)
{
    struct process_table table = {.count = 0};
    struct process_status status;
    for (int i = 0; i < MOST_ANCESTORS && pid > 0; i++) {
        const bool is_there = read_process_status(proc, pid, &status);
        struct process_status *child = table.count > 0 ? &table.items[table.count - 1] : NULL;
        if (child != NULL && has_new_parent(proc, child)) {
            pid = child->parent;
            continue;
        }
        if (!is_there)
            break;
        add(&table, &status);
        pid = status.parent;
    }
    sort(&table);
    return table;
}

struct process_table process_table_read(const char *proc)
{
    struct process_table table = {.count = 0};
    struct kernel_threads kernel_threads = kernel_threads_list(proc);
    DIR *directory = opendir(proc);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        struct process_status status;
        const pid_t pid = (pid_t)atol(entry->d_name);
        if (pid > 0 && !kernel_threads_have(&kernel_threads, pid) && read_process_status(proc, pid, &status))
            add(&table, &status);
    }
    if (directory != NULL)
        closedir(directory);
    sort(&table);
    return table;
}

const struct process_status *process_table_find(const struct process_table *table, pid_t pid)
{
    const struct process_status wanted = {.pid = pid};
    return table->count > 0 ? bsearch(&wanted, table->items, table->count, sizeof *table->items, compare_pids) : NULL;
}

/* While it was read, processes may have ended and their numbers been given again: a chain is no longer than the table.
 */
bool process_table_has_ancestor(const struct process_table *table, pid_t ancestor, pid_t pid)
{
    const struct process_status *status = process_table_find(table, pid);
    for (size_t i = 0; i < table->count && status != NULL && status->pid > 1; i++) {
        if (status->parent == ancestor)
            return true;
        status = process_table_find(table, status->parent);
    }
    return false;
}
