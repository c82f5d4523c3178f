/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes it out of /proc/PID/stat.
 */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool process_footprint_read(pid_t pid, struct process_footprint *ret_footprint)
{
    size_t bytes;
    unsigned long long minor, major;
    struct process_footprint footprint;
    char *text = read_process_file("/proc", pid, "stat", &bytes);
    const char *end = text != NULL ? strrchr(text, ')') : NULL; /* of the name, which may have any */
    const bool is_read =
        end != NULL && sscanf(end + 1,
                              " %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu "
                              "%llu %*d %*u %llu",
                              &minor, &major, &footprint.start, &footprint.bytes, &footprint.code) == 5;
    free(text);
    if (!is_read)
        return false;
    footprint.page_faults = minor + major;
    *ret_footprint = footprint;
    return true;
}

bool process_footprint_is_same(const struct process_footprint *left, const struct process_footprint *right)
{
    return left->start == right->start && left->page_faults == right->page_faults && left->bytes == right->bytes &&
           left->code == right->code;
}
