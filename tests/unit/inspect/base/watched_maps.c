/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files of /proc exist as long as somebody has looked them up: watched_maps.h.
 */
#include "watched_maps.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

struct watched_maps watched_maps_open(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    const struct watched_maps maps = {.file = open(path, O_PATH | O_CLOEXEC),
                                      .watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    cr_assert_geq(maps.file, 0);
    cr_assert_geq(inotify_add_watch(maps.watch, path, IN_OPEN), 0);
    return maps;
}

bool watched_maps_are_read(const struct watched_maps *maps)
{
    char event[sizeof(struct inotify_event)];
    return read(maps->watch, event, sizeof event) > 0;
}

void watched_maps_close(struct watched_maps *maps)
{
    close(maps->watch);
    close(maps->file);
}
