/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID/stat, which never waits for the process.
 */
#include "base/base.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STAT = 4096 };

/* The words of proc(5), from 1. */
enum { FLAGS = 9, MINOR_FAULTS = 10, MAJOR_FAULTS = 12, START = 22, BYTES = 23, CODE = 26, EXIT_CODE = 52, WORDS };

bool process_stat_read(const char *proc, pid_t pid, struct process_stat *ret_stat)
{
    char path[PATH_MAX], text[MOST_STAT];
    unsigned long long words[WORDS] = {0};
    snprintf(path, sizeof path, "%s/%ld/stat", proc, (long)pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    text[count > 0 ? count : 0] = '\0';
    const char *end = strrchr(text, ')'); /* of the name, which may have any */
    if (end == NULL || end[1] != ' ' || end[2] == '\0')
        return false;
    char *next = text + (end + 3 - text);
    for (int i = 4; i < WORDS; i++)
        words[i] = strtoull(next, &next, 10);
    *ret_stat = (struct process_stat){
        .state = end[2],
        .flags = (unsigned)words[FLAGS],
        .page_faults = words[MINOR_FAULTS] + words[MAJOR_FAULTS],
        .start = words[START],
        .bytes = words[BYTES],
        .code = words[CODE],
        .wait_status = end[2] == 'Z' ? (int)words[EXIT_CODE] : -1,
    };
    return true;
}

unsigned long long process_start(const char *proc, pid_t pid)
{
    struct process_stat stat;
    return process_stat_read(proc, pid, &stat) ? stat.start : 0;
}

double process_start_s(const char *proc, pid_t pid)
{
    const unsigned long long start = process_start(proc, pid);
    const long ticks_per_s = sysconf(_SC_CLK_TCK);
    return start > 0 && ticks_per_s > 0 ? (double)start / (double)ticks_per_s : -1;
}

int process_wait_status(const char *proc, pid_t pid)
{
    struct process_stat stat;
    return process_stat_read(proc, pid, &stat) ? stat.wait_status : -1;
}
