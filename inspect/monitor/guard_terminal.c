/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shares the terminal with a command that runs in a process group of its own.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { INPUT_BYTES = 4096 };

/* Between two looks whether the guard is in the foreground again. */
static const struct timespec pause_in_background = {.tv_nsec = 200L * 1000 * 1000};
static const int pause_ms = 1000;

static bool write_all(int file, const char *text, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t part = write(file, text + done, bytes - done);
        if (part < 0 && errno != EINTR)
            return false;
        done += part > 0 ? (size_t)part : 0;
    }
    return true;
}

/* Reads only in the foreground: input is for the group that has the terminal. */
static void *hand_on_input(void *context)
{
    const int file = *(const int *)context;
    char text[INPUT_BYTES];
    pid_t group;
    free(context);
    while ((group = tcgetpgrp(STDIN_FILENO)) >= 0) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        if (group != getpgrp()) {
            nanosleep(&pause_in_background, NULL);
        } else if (poll(&input, 1, pause_ms) > 0) {
            const ssize_t bytes = read(STDIN_FILENO, text, sizeof text);
            if (bytes == 0 || (bytes > 0 && !write_all(file, text, (size_t)bytes)))
                break;
        }
    }
    close(file);
    return NULL;
}

/* The thread gets no signals. */
static int start_thread(int file)
{
    pthread_t thread;
    sigset_t all, before;
    int *context = allocate(sizeof *context);
    *context = file;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const int error = pthread_create(&thread, NULL, hand_on_input, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        return pthread_detach(thread);
    free(context);
    return -1;
}

int guard_terminal_begin(struct guard_terminal *ret_terminal)
{
    int pipe[2];
    ret_terminal->file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    ret_terminal->is_lent = false;
    if (ret_terminal->file < 0 || tcgetpgrp(STDIN_FILENO) < 0 || pipe2(pipe, O_CLOEXEC) != 0)
        return -1;
    if (start_thread(pipe[1]) != 0) {
        close(pipe[0]);
        close(pipe[1]);
        return -1;
    }
    return pipe[0];
}

bool guard_terminal_lend(struct guard_terminal *terminal, pid_t group)
{
    if (!terminal->is_lent && terminal->file >= 0 && tcgetpgrp(terminal->file) == getpgrp())
        terminal->is_lent = tcsetpgrp(terminal->file, group) == 0;
    return terminal->is_lent;
}

void guard_terminal_take_back(struct guard_terminal *terminal)
{
    if (terminal->is_lent)
        tcsetpgrp(terminal->file, getpgrp());
    terminal->is_lent = false;
}
