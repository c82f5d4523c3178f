/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where those meet that watch the ranks of one MPI_COMM_WORLD on this host, so that the last to leave says of all what
 * they have left: a file that each appends to and has a shared lock on, so nobody ever waits for anybody, and who dies
 * has left.
 */
#ifndef MPILENS_INSPECT_MONITOR_LEAK_MEETING_H
#define MPILENS_INSPECT_MONITOR_LEAK_MEETING_H

#include "analysis/leaks.h"

#include <stdbool.h>

struct leak_meeting {
    char *path;
    int file;
};

/* Leaks as they were written, each with the rank that has it. */
struct leak_records {
    struct leak *items;
    size_t count;
};

/* A file for those that watch ranks of the same world as this process. The caller frees it; NULL: none, for there is no
 * launcher above this process. */
char *leak_meeting_path(void);
/* Whether there is a meeting: not where there can be no such file. */
bool leak_meeting_join(const char *path, struct leak_meeting *ret_meeting);
/* Writes down what a rank has left. 0, or -1: nobody will say it. */
int leak_meeting_add(const struct leak_meeting *meeting, const struct leaks *leaks);
/* True: nobody else is left, and *ret_records is what all have written, to be cleared. Ends the meeting for this
 * process. */
bool leak_meeting_leave(struct leak_meeting *meeting, struct leak_records *ret_records);
void leak_records_clear(struct leak_records *records);

#endif
