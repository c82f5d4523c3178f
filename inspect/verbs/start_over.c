/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the command over without a process whose memory cannot be read.
 */
#include "verbs/verbs.h"

#include "base/base.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static char **_Atomic own_arguments; /* NULL: no more */
static _Atomic off_t input_begin = -1;

static void start_over(pid_t pid)
{
    char text[128];
    char **arguments = atomic_load(&own_arguments);
    if (input_begin >= 0)
        lseek(STDIN_FILENO, input_begin, SEEK_SET);
    if (arguments != NULL && blocked_read_note(pid) && blocked_read_hand_on())
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

static bool copy_input(int file)
{
    char bytes[4096];
    ssize_t count;
    while ((count = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
        if (write(file, bytes, (size_t)count) != count)
            return false;
    return count == 0 && lseek(file, 0, SEEK_SET) == 0;
}

int start_over_keep_input(void)
{
    const off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (begin >= 0) {
        input_begin = begin;
        return 0;
    }
    const int file = memfd_create("standard input", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    const bool is_kept = copy_input(file) && dup2(file, STDIN_FILENO) == STDIN_FILENO;
    close(file);
    if (is_kept)
        input_begin = 0;
    return is_kept ? 0 : -1;
}

void start_over_no_more(void)
{
    atomic_store(&own_arguments, NULL);
}
