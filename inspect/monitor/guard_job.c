/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts a command, waits for its processes and ends them.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP};
static const char mark_variable[] = "MPILENS_GUARD";

/* Pids come again. */
static int set_mark(struct guard_job *job)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    snprintf(job->mark, sizeof job->mark, "%ld-%lld.%09ld", (long)getpid(), (long long)time.tv_sec, time.tv_nsec);
    return setenv(mark_variable, job->mark, 1);
}

static bool asks_to_end(int number)
{
    return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
}

/* Batch systems send them before the end; programs write checkpoints then. */
static bool announces_end(int number)
{
    return number == SIGUSR1 || number == SIGUSR2;
}

/* Ignored by the program that started the guard, such as nohup: then the job also ignores it. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Blocks the signals; 0, or -1 and errno. */
static int take_signals(struct guard_job *job, sigset_t *ret_before)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        if (!is_ignored(passed_on[i]))
            sigaddset(&awaited, passed_on[i]);
    job->signals = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
    if (job->signals < 0)
        return -1;
    signal(SIGCHLD, SIG_DFL); /* ignored, children would leave no status */
    return sigprocmask(SIG_BLOCK, &awaited, ret_before);
}

/* `input`: -1: no change. */
static void become_launcher(const struct guard_job *job, const char *path, char **command, int input)
{
    setpgid(0, 0);
    core_limit_raise();
    if (input >= 0)
        dup2(input, STDIN_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != job->guard)
        _exit(EXIT_NOT_EXECUTABLE);
    execvp(path, command); /* also gives a file without a format to the shell */
    fprintf(stderr, "mpilens guard: %s: %s\n", path, strerror(errno));
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

int guard_job_start(const char *path, char **command, struct guard_job *ret_job, struct reason *ret_reason)
{
    struct guard_job job = {.guard = getpid(), .start = process_start("/proc", getpid())};
    sigset_t before;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        return reason_set(ret_reason, "the processes of the job cannot be adopted: %s", strerror(errno));
    if (set_mark(&job) != 0)
        return reason_set(ret_reason, "the job cannot be marked: %s", strerror(errno));
    if (take_signals(&job, &before) != 0)
        return reason_set(ret_reason, "signals cannot be awaited: %s", strerror(errno));
    void (*const on_broken_pipe)(int) = signal(SIGPIPE, SIG_IGN);
    void (*const on_output)(int) = signal(SIGTTOU, SIG_IGN);
    const int input = guard_terminal_begin(&job.terminal);
    job.launcher = fork();
    if (job.launcher == 0) {
        signal(SIGPIPE, on_broken_pipe);
        signal(SIGTTOU, on_output);
        sigprocmask(SIG_SETMASK, &before, NULL);
        become_launcher(&job, path, command, input);
    }
    if (input >= 0)
        close(input);
    if (job.launcher < 0) {
        const int error = errno;
        sigprocmask(SIG_SETMASK, &before, NULL);
        close(job.signals);
        return reason_set(ret_reason, "%s cannot be started: %s", path, strerror(error));
    }
    setpgid(job.launcher, job.launcher); /* whoever of both comes first */
    *ret_job = job;
    return 0;
}

/* To all of its group, as a terminal does, or to the launcher alone. */
static void send_signal(const struct guard_job *job, int number, bool is_for_all)
{
    if (!job->has_ended)
        kill(is_for_all ? -job->launcher : job->launcher, number);
}

/* Stops with the job until the shell continues this process. */
static void stop(struct guard_job *job, int number)
{
    const bool was_lent = job->terminal.is_lent;
    sigset_t numbers, before;
    sigemptyset(&numbers);
    sigaddset(&numbers, number);
    guard_terminal_take_back(&job->terminal);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &numbers, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (was_lent)
        guard_terminal_lend(&job->terminal, job->launcher);
}

/* The launcher needs the terminal, or the user has stopped it there. */
static void take_stop(struct guard_job *job, int number)
{
    job->is_stopped = number == SIGTTIN || number == SIGTTOU;
    if (job->is_stopped && !guard_terminal_lend(&job->terminal, job->launcher))
        stop(job, SIGTTIN);
    if (number != SIGTSTP || !job->terminal.is_lent)
        return;
    stop(job, SIGTSTP);
    send_signal(job, SIGCONT, true);
}

static void reap(struct guard_job *job)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;)
        if (pid == job->launcher && WIFSTOPPED(status)) {
            take_stop(job, WSTOPSIG(status));
        } else if (pid == job->launcher) {
            job->has_ended = true;
            job->status = status;
        }
    if (job->is_stopped && guard_terminal_lend(&job->terminal, job->launcher)) {
        job->is_stopped = false;
        send_signal(job, SIGCONT, true);
    }
}

/* timeout(1) sends its signal to its child, and then to its group. The second may be read late, on a machine where
 * others compute, or have waited while the first was told of. */
static bool comes_twice(const struct guard_job *job, const struct signalfd_siginfo *signal)
{
    static const double most_s = 1;
    const bool is_of_same = signal->ssi_code == SI_USER && signal->ssi_pid != 0 && /* 0: of another namespace */
                            (pid_t)signal->ssi_pid == job->last_asked.sender;
    return is_of_same && (int)signal->ssi_signo == job->last_asked.number &&
           monotonic_s() - job->last_asked.when_s < most_s;
}

static void ask(struct guard_job *job, const struct signalfd_siginfo *signal)
{
    job->asked = (int)signal->ssi_signo;
    job->is_of_terminal = signal->ssi_code == SI_KERNEL && asks_to_end(job->asked);
    job->last_asked.number = job->asked;
    job->last_asked.sender = (pid_t)signal->ssi_pid;
    job->last_asked.when_s = monotonic_s();
}

static void take_signal(struct guard_job *job, const struct signalfd_siginfo *signal)
{
    const int number = (int)signal->ssi_signo;
    if (number == SIGCHLD || comes_twice(job, signal))
        return;
    if (number == SIGTSTP) {
        send_signal(job, SIGTSTP, true);
        stop(job, SIGTSTP);
        send_signal(job, SIGCONT, true);
    } else if (asks_to_end(number) && job->was_asked == 0) {
        ask(job, signal);
        job->was_asked = number;
    } else if (announces_end(number) && job->was_asked == 0 && job->asked == 0) {
        ask(job, signal);
    } else {
        job->is_urgent = job->is_urgent || number == SIGINT;
        if (number != SIGINT || job->asked == 0) /* the first one comes first */
            send_signal(job, number, signal->ssi_code == SI_KERNEL);
    }
}

bool guard_job_take(struct guard_job *job, const struct signalfd_siginfo *signal)
{
    take_signal(job, signal);
    return job->is_urgent;
}

/* Until a signal comes or the file is readable, at most so long. True: the file is. */
static bool wait_once(struct guard_job *job, int file, double seconds)
{
    struct pollfd files[] = {{.fd = job->signals, .events = POLLIN}, {.fd = file, .events = POLLIN}};
    struct signalfd_siginfo signal;
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    ppoll(files, sizeof files / sizeof *files, &time, NULL);
    while (read(job->signals, &signal, sizeof signal) == sizeof signal)
        take_signal(job, &signal);
    reap(job);
    return file >= 0 && files[1].revents != 0;
}

void guard_job_pause(struct guard_job *job, double seconds)
{
    reap(job);
    wait_once(job, -1, seconds);
}

void guard_job_wait(struct guard_job *job, int file, double seconds)
{
    const double end = monotonic_s() + seconds;
    reap(job);
    for (double left = seconds; left > 0 && !job->has_ended && job->asked == 0; left = end - monotonic_s())
        if (wait_once(job, file, left))
            break;
}

void guard_job_pass_on(struct guard_job *job)
{
    send_signal(job, job->asked, job->is_of_terminal);
    job->asked = 0;
    job->last_asked.when_s = monotonic_s();
    if (job->was_asked != 0)
        job->passed_on_s = job->last_asked.when_s;
}

static bool is_below(pid_t ancestor, pid_t pid)
{
    const struct arena_mark mark = arena_mark(); /* all processes of the host are asked about, again and again */
    const struct process_table above = process_table_read_above("/proc", pid);
    const bool result = process_table_has_ancestor(&above, ancestor, pid);
    arena_release(mark);
    return result;
}

bool has_guard_mark(const char *mark, pid_t pid)
{
    size_t bytes;
    char *environment = read_process_file("/proc", pid, "environ", &bytes);
    const char *own = environment != NULL ? find_variable(environment, bytes, mark_variable) : NULL;
    const bool result = own != NULL && strcmp(own, mark) == 0;
    free(environment);
    return result;
}

bool guard_job_has(const struct guard_job *job, pid_t pid)
{
    return process_start("/proc", pid) >= job->start && (is_below(job->guard, pid) || has_guard_mark(job->mark, pid));
}

void guard_job_leave_terminal(struct guard_job *job)
{
    guard_terminal_take_back(&job->terminal);
}

void guard_job_ask(const struct guard_job *job)
{
    send_signal(job, SIGTERM, false);
}

void guard_job_kill(const struct guard_job *job)
{
    send_signal(job, SIGKILL, true);
}
