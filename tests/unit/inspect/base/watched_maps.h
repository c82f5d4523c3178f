/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sees by inotify when somebody opens the mappings of a process.
 */
#ifndef TESTS_WATCHED_MAPS_H
#define TESTS_WATCHED_MAPS_H

#include <stdbool.h>
#include <sys/types.h>

struct watched_maps {
    int file; /* keeps the kernel from dropping what it watches when it is short of memory */
    int watch;
};

struct watched_maps watched_maps_open(pid_t pid);
/* Since the last call; the kernel reports several times as one. */
bool watched_maps_are_read(const struct watched_maps *maps);
void watched_maps_close(struct watched_maps *maps);

#endif
