/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes to the user without ever blocking on the reader.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* To find out what is to be told, to write it, and to come to an end. */
enum { MOST_SECONDS = 60, MOST_SECONDS_OF_OUTPUT = 5, MOST_SECONDS_OF_END = 5, MOST_MORE_SECONDS = 1000000 };

/* The last text was not read in time: the next one waits less for its reader, since the job is still to be ended. */
static bool is_asleep;
enum { MOST_SECONDS_ASLEEP = 1, EXIT_ASLEEP = 111 };

static void exit_asleep(int number)
{
    (void)number;
    _exit(EXIT_ASLEEP);
}

static void write_all(const char *text, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t part = write(STDERR_FILENO, text + done, bytes - done);
        if (part < 0 && errno != EINTR)
            return;
        done += part > 0 ? (size_t)part : 0;
    }
}

/* Readable when SIGINT has come; -1: it cuts nothing short. */
static int interrupt = -1;
static struct guard_job *interrupted;

void guard_tell_until_interrupt(struct guard_job *job)
{
    sigset_t numbers;
    sigemptyset(&numbers);
    sigaddset(&numbers, SIGINT);
    if (interrupt < 0)
        interrupt = signalfd(-1, &numbers, SFD_CLOEXEC | SFD_NONBLOCK);
    interrupted = job;
}

static bool is_interrupted(void)
{
    struct signalfd_siginfo signal;
    return read(interrupt, &signal, sizeof signal) == sizeof signal && guard_job_take(interrupted, &signal);
}

/* Which process the child could not read; shared with it. */
static _Atomic pid_t *blocked;

static void give_up(pid_t pid)
{
    atomic_store(blocked, pid);
    _exit(EXIT_FAILURE);
}

/* An alarm ends a child that takes too long: its default is to end the process. */
static void tell_as_child(void (*tell)(FILE *stream, void *context), void *context, unsigned most_s)
{
    char *text = NULL;
    size_t bytes = 0;
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(most_s);
    if (blocked != MAP_FAILED)
        blocked_read_watch(give_up);
    FILE *stream = open_memstream(&text, &bytes);
    if (stream != NULL) {
        tell(stream, context);
        fclose(stream);
        signal(SIGALRM, exit_asleep);
        alarm(is_asleep ? MOST_SECONDS_ASLEEP : MOST_SECONDS_OF_OUTPUT);
        write_all(text, bytes);
    }
    _exit(bytes == 0 && is_asleep ? EXIT_ASLEEP : EXIT_SUCCESS);
}

/* Whether it has come to an end, or never will. */
static bool has_told(void (*tell)(FILE *stream, void *context), void *context, unsigned most_s)
{
    const pid_t child = fork();
    if (child < 0)
        return true;
    if (child == 0)
        tell_as_child(tell, context, most_s);
    const int process = pidfd_open(child, 0);
    struct pollfd ends[] = {{.fd = process, .events = POLLIN}, {.fd = interrupt, .events = POLLIN}};
    const int most_ms = ((int)most_s + MOST_SECONDS_OF_OUTPUT + MOST_SECONDS_OF_END) * 1000;
    while (process >= 0) {
        const int ready = poll(ends, 2, most_ms);
        if (ready < 0 ? errno != EINTR : ready == 0 || ends[0].revents != 0 || is_interrupted())
            break;
    }
    if (process >= 0)
        close(process);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, process >= 0 ? WNOHANG : 0); /* one that hangs in the system is not waited for */
    is_asleep = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_ASLEEP;
    const pid_t unread = blocked != MAP_FAILED ? atomic_exchange(blocked, 0) : 0;
    return unread == 0 || !blocked_read_note(unread);
}

void guard_tell_slowly(void (*tell)(FILE *stream, void *context), void *context, double more_s)
{
    const unsigned most_s = MOST_SECONDS + (unsigned)fmin(more_s, MOST_MORE_SECONDS);
    blocked = mmap(NULL, sizeof *blocked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    while (!has_told(tell, context, most_s))
        continue;
    if (blocked != MAP_FAILED)
        munmap((void *)blocked, sizeof *blocked);
}

void guard_tell(void (*tell)(FILE *stream, void *context), void *context)
{
    guard_tell_slowly(tell, context, 0);
}
