/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes it out of /proc/PID/stat, which never waits for the process.
 */
#include "base/base.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STAT = 4096 };

/* By proc(5) the 20th word behind the name. */
unsigned long long process_start(const char *proc, pid_t pid)
{
    char path[PATH_MAX], text[MOST_STAT];
    unsigned long long start = 0;
    snprintf(path, sizeof path, "%s/%ld/stat", proc, (long)pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    text[count > 0 ? count : 0] = '\0';
    const char *end = strrchr(text, ')');
    if (end == NULL ||
        sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &start) !=
            1)
        return 0;
    return start;
}

double process_start_s(const char *proc, pid_t pid)
{
    const unsigned long long start = process_start(proc, pid);
    const long ticks_per_s = sysconf(_SC_CLK_TCK);
    return start > 0 && ticks_per_s > 0 ? (double)start / (double)ticks_per_s : -1;
}
