/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads several processes beside each other: shared_reader FILE PID ADDRESS PID ADDRESS...: prints the line of each
 * return address, then the last one's again when all other processes are closed, and the number of them for which FILE
 * was opened.
 */
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { MOST_TARGETS = 32 };

/* Since the last call: the kernel reports several times as one. */
static bool was_opened(int watch)
{
    char event[sizeof(struct inotify_event)]; /* of a file: without a name */
    return read(watch, event, sizeof event) > 0;
}

static bool find_line(struct target *target, const char *address, int watch)
{
    struct site_cache cache = {0}; /* each process has its own: only debug information is shared */
    const struct site *site = site_find(&cache, target, strtoull(address, NULL, 16));
    printf("%s:%d\n", site != NULL && site->file != NULL ? site->file : "?", site != NULL ? site->line : 0);
    site_cache_clear(&cache);
    return was_opened(watch);
}

int main(int count, char **arguments)
{
    struct target *targets[MOST_TARGETS] = {NULL};
    struct reason reason;
    const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), number = (count - 2) / 2;
    int opened = 0;
    if (number < 1 || number > MOST_TARGETS || inotify_add_watch(watch, arguments[1], IN_OPEN) < 0)
        return 2;
    for (int i = 0; i < number; i++)
        if (target_open_process((pid_t)atol(arguments[2 + 2 * i]), &targets[i], &reason) != 0)
            return 2;
    for (int i = 0; i < number; i++)
        opened += find_line(targets[i], arguments[3 + 2 * i], watch);
    for (int i = 0; i < number - 1; i++)
        target_close(targets[i]);
    opened += find_line(targets[number - 1], arguments[3 + 2 * (number - 1)], watch);
    printf("%d\n", opened);
    target_close(targets[number - 1]);
    return 0;
}
