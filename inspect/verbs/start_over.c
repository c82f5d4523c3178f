/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the command over without a process whose memory cannot be read.
 */
#include "verbs/start_over.h"

#include "base/allocation.h"
#include "base/blocked_read.h"
#include "base/exit_status.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char **_Atomic own_arguments; /* NULL: no more */

static void start_over(pid_t pid)
{
    char text[128];
    char **arguments = atomic_load(&own_arguments);
    if (arguments != NULL && blocked_read_note(pid))
        execv("/proc/self/exe", arguments);
    const int length =
        snprintf(text, sizeof text, "mpilens: the memory of process %ld does not answer: leave it out\n", (long)pid);
    /* Streams may be held by the thread that waits. */
    const ssize_t written = write(STDERR_FILENO, text, (size_t)length);
    (void)written;
    _exit(EXIT_UNREADABLE);
}

void start_over_where_blocked(char **arguments)
{
    static char **copy; /* the verbs change their order */
    size_t count = 0;
    while (arguments[count] != NULL)
        count++;
    copy = allocate((count + 1) * sizeof *copy);
    memcpy(copy, arguments, count * sizeof *copy);
    atomic_store(&own_arguments, copy);
    blocked_read_watch(start_over);
}

void start_over_no_more(void)
{
    atomic_store(&own_arguments, NULL);
}
