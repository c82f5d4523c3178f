/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the command over without a process whose memory cannot be read.
 */
#include "verbs/start_over.h"

#include "base/allocation.h"
#include "base/blocked_read.h"
#include "base/exit_status.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char **own_arguments;

static void start_over(pid_t pid)
{
    char text[128];
    if (own_arguments != NULL && blocked_read_note(pid))
        execv("/proc/self/exe", own_arguments);
    const int length =
        snprintf(text, sizeof text, "mpilens: the memory of process %ld does not answer: leave it out\n", (long)pid);
    /* Streams may be held by the thread that waits. */
    const ssize_t written = write(STDERR_FILENO, text, (size_t)length);
    (void)written;
    _exit(EXIT_UNREADABLE);
}

void start_over_where_blocked(char **arguments)
{
    size_t count = 0;
    while (arguments != NULL && arguments[count] != NULL)
        count++;
    if (arguments != NULL) { /* the verbs change their order */
        own_arguments = allocate((count + 1) * sizeof *own_arguments);
        memcpy(own_arguments, arguments, count * sizeof *own_arguments);
    }
    blocked_read_watch(start_over);
}
