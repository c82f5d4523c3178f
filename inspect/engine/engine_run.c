/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the commands of an engine, and reads and ends them.
 */
#include "engine/engine_run.h"

#include "base/allocation.h"
#include "base/exit_status.h"
#include "base/monotonic_clock.h"

#include <errno.h>
#include <fcntl.h>
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

/* A line that is longer is none of ours. Of one file, at most so many reads are made before others have their turn. */
enum { MOST_READ_BYTES = 4096, MOST_READS = 16 };
/* After SIGTERM, and after SIGKILL. */
static const double end_patience_s = 1, last_patience_s = 2;

/* Output of a command on its way from bytes to lines. */
struct line_reader {
    int file; /* -1: it has ended */
    char line[MOST_READ_BYTES + 1];
    size_t length;
    bool is_too_long;
};

struct engine_process {
    pid_t pid;  /* 0: not started yet, or told of its end */
    int input;  /* -1: closed */
    size_t fed; /* bytes of run->input */
    struct line_reader output, errors;
};

struct engine_run {
    const struct engine_command *commands;
    struct engine_process **processes; /* NULL: not started, or over */
    size_t count, started, running, most_at_once;
    char **environment;
    struct engine_listener listener;
    char *input;
    size_t input_bytes;
    bool input_ends;
    int signals; /* signalfd */
    sigset_t awaited, before;
    struct sigaction on_broken_pipe;
    int interrupted; /* the signal; 0: none */
};

/* --- starting --- */

struct pipes {
    int input[2], output[2], errors[2]; /* [0] is read from, [1] written to */
};

static void close_pipe(const int *pipe)
{
    close(pipe[0]);
    close(pipe[1]);
}

static int open_pipes(struct pipes *ret_pipes)
{
    struct pipes pipes;
    if (pipe2(pipes.input, O_CLOEXEC) != 0)
        return -1;
    if (pipe2(pipes.output, O_CLOEXEC) != 0) {
        close_pipe(pipes.input);
        return -1;
    }
    if (pipe2(pipes.errors, O_CLOEXEC) != 0) {
        close_pipe(pipes.input);
        close_pipe(pipes.output);
        return -1;
    }
    *ret_pipes = pipes;
    return 0;
}

static void become_command(const struct engine_run *run, const struct engine_command *command,
                           const struct pipes *pipes, pid_t parent)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(EXIT_NOT_EXECUTABLE);
    sigaction(SIGPIPE, &run->on_broken_pipe, NULL);
    sigprocmask(SIG_SETMASK, &run->before, NULL);
    dup2(pipes->input[0], STDIN_FILENO);
    dup2(pipes->output[1], STDOUT_FILENO);
    dup2(pipes->errors[1], STDERR_FILENO);
    execvpe(command->arguments[0], command->arguments, run->environment);
    fprintf(stderr, "%s: %s\n", command->arguments[0], strerror(errno));
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

static int take(int file)
{
    fcntl(file, F_SETFL, O_NONBLOCK);
    return file;
}

static int start_next(struct engine_run *run, struct reason *ret_reason)
{
    struct pipes pipes;
    if (open_pipes(&pipes) != 0)
        return reason_set(ret_reason, "no pipe can be opened: %s", strerror(errno));
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0)
        become_command(run, &run->commands[run->started], &pipes, parent);
    close(pipes.input[0]);
    close(pipes.output[1]);
    close(pipes.errors[1]);
    if (pid < 0) {
        const int error = errno;
        close(pipes.input[1]);
        close(pipes.output[0]);
        close(pipes.errors[0]);
        return reason_set(ret_reason, "no process can be started: %s", strerror(error));
    }
    struct engine_process *process = allocate(sizeof *process);
    process->pid = pid;
    process->input = take(pipes.input[1]);
    process->output.file = take(pipes.output[0]);
    process->errors.file = take(pipes.errors[0]);
    run->processes[run->started++] = process;
    run->running++;
    return 0;
}

/* What cannot be started ends as if it had ended at once: others may have room for it later only by luck. */
static void start_more(struct engine_run *run)
{
    struct reason reason;
    while (run->started < run->count && run->running < run->most_at_once) {
        if (start_next(run, &reason) == 0)
            continue;
        const size_t number = run->started++;
        run->listener.on_error(run->listener.context, number, reason.text);
        run->listener.on_end(run->listener.context, number, EXIT_NOT_EXECUTABLE << 8);
    }
}

static int take_signals(struct engine_run *run)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigemptyset(&run->awaited);
    sigaddset(&run->awaited, SIGCHLD);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction action;
        if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&run->awaited, ending[i]);
    }
    run->signals = signalfd(-1, &run->awaited, SFD_CLOEXEC | SFD_NONBLOCK);
    if (run->signals < 0)
        return -1;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigprocmask(SIG_BLOCK, &run->awaited, &run->before);
    sigaction(SIGPIPE, &ignore, &run->on_broken_pipe);
    return 0;
}

int engine_run_begin(const struct engine_command *commands, size_t count, size_t most_at_once, char **environment,
                     const struct engine_listener *listener, struct engine_run **ret_run, struct reason *ret_reason)
{
    struct engine_run *run = allocate(sizeof *run);
    *run = (struct engine_run){.commands = commands,
                               .count = count,
                               .most_at_once = most_at_once,
                               .environment = environment,
                               .listener = *listener};
    if (take_signals(run) != 0) {
        free(run);
        return reason_set(ret_reason, "signals cannot be awaited: %s", strerror(errno));
    }
    run->processes = allocate(count * sizeof *run->processes);
    start_more(run);
    *ret_run = run;
    return 0;
}

/* --- reading and writing --- */

typedef void tell_line(void *context, size_t command, const char *line);

static void end_line(struct engine_run *run, struct line_reader *reader, size_t number, tell_line *tell)
{
    if (reader->length > 0 && reader->line[reader->length - 1] == '\r')
        reader->length--;
    reader->line[reader->length] = '\0';
    if (!reader->is_too_long)
        tell(run->listener.context, number, reader->line);
    reader->length = 0;
    reader->is_too_long = false;
}

static void add_bytes(struct engine_run *run, struct line_reader *reader, const char *bytes, size_t count,
                      size_t number, tell_line *tell)
{
    while (count > 0) {
        const char *end = memchr(bytes, '\n', count);
        const size_t part = end != NULL ? (size_t)(end - bytes) : count;
        if (reader->length + part > MOST_READ_BYTES)
            reader->is_too_long = true;
        if (!reader->is_too_long) {
            memcpy(reader->line + reader->length, bytes, part);
            reader->length += part;
        }
        if (end == NULL)
            return;
        end_line(run, reader, number, tell);
        bytes += part + 1;
        count -= part + 1;
    }
}

/* What has come. A last line without a line break is a line, too. */
static void read_lines(struct engine_run *run, struct line_reader *reader, size_t number, tell_line *tell)
{
    char bytes[MOST_READ_BYTES];
    for (int i = 0; i < MOST_READS && reader->file >= 0; i++) {
        const ssize_t count = read(reader->file, bytes, sizeof bytes);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (count > 0) {
            add_bytes(run, reader, bytes, (size_t)count, number, tell);
            continue;
        }
        if (reader->length > 0)
            end_line(run, reader, number, tell);
        close(reader->file);
        reader->file = -1;
    }
}

static void close_input(struct engine_process *process)
{
    if (process->input >= 0)
        close(process->input);
    process->input = -1;
}

static void feed(const struct engine_run *run, struct engine_process *process)
{
    while (process->input >= 0 && process->fed < run->input_bytes) {
        const ssize_t count = write(process->input, run->input + process->fed, run->input_bytes - process->fed);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (count < 0)
            close_input(process); /* it does not read */
        else
            process->fed += (size_t)count;
    }
    if (run->input_ends)
        close_input(process);
}

void engine_run_say(struct engine_run *run, const char *bytes, size_t count)
{
    char *input = allocate(run->input_bytes + count);
    if (run->input_bytes > 0)
        memcpy(input, run->input, run->input_bytes);
    memcpy(input + run->input_bytes, bytes, count);
    free(run->input);
    run->input = input;
    run->input_bytes += count;
    for (size_t i = 0; i < run->started; i++)
        if (run->processes[i] != NULL)
            feed(run, run->processes[i]);
}

void engine_run_say_no_more(struct engine_run *run)
{
    run->input_ends = true;
    for (size_t i = 0; i < run->started; i++)
        if (run->processes[i] != NULL)
            feed(run, run->processes[i]);
}

/* --- waiting --- */

static void tell_all(struct engine_run *run, size_t number)
{
    read_lines(run, &run->processes[number]->output, number, run->listener.on_output);
    read_lines(run, &run->processes[number]->errors, number, run->listener.on_error);
}

/* What it has started ends with it: the group is signalled while its number cannot be that of another. */
static bool has_ended(struct engine_process *process, int *ret_status)
{
    siginfo_t information = {.si_pid = 0};
    if (waitid(P_PID, (id_t)process->pid, &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_pid == 0)
        return false;
    kill(-process->pid, SIGTERM);
    return waitpid(process->pid, ret_status, WNOHANG) == process->pid;
}

static void destroy_process(struct engine_run *run, size_t number)
{
    struct engine_process *process = run->processes[number];
    close_input(process);
    if (process->output.file >= 0)
        close(process->output.file);
    if (process->errors.file >= 0)
        close(process->errors.file);
    free(process);
    run->processes[number] = NULL;
    run->running--;
}

/* Whether commands have ended. */
static bool reap(struct engine_run *run)
{
    bool is_any = false;
    for (size_t i = 0; i < run->started; i++) {
        int status;
        if (run->processes[i] == NULL || !has_ended(run->processes[i], &status))
            continue;
        tell_all(run, i); /* all that it has left: who else has the pipe open may write without end */
        destroy_process(run, i);
        run->listener.on_end(run->listener.context, i, status);
        is_any = true;
    }
    return is_any;
}

static void take_arrived_signals(struct engine_run *run)
{
    struct signalfd_siginfo signal;
    while (read(run->signals, &signal, sizeof signal) == sizeof signal)
        if (signal.ssi_signo != SIGCHLD && run->interrupted == 0)
            run->interrupted = (int)signal.ssi_signo;
}

/* Waits until a file has something, or one can be written to. */
static void wait_for_files(struct engine_run *run, double seconds)
{
    enum { FILES_OF_PROCESS = 3 };
    struct pollfd *files = allocate((run->running * FILES_OF_PROCESS + 1) * sizeof *files);
    nfds_t count = 0;
    files[count++] = (struct pollfd){.fd = run->signals, .events = POLLIN};
    for (size_t i = 0; i < run->started; i++) {
        const struct engine_process *process = run->processes[i];
        if (process == NULL)
            continue;
        files[count++] = (struct pollfd){.fd = process->output.file, .events = POLLIN};
        files[count++] = (struct pollfd){.fd = process->errors.file, .events = POLLIN};
        files[count++] =
            (struct pollfd){.fd = process->fed < run->input_bytes ? process->input : -1, .events = POLLOUT};
    }
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    ppoll(files, count, &time, NULL);
    free(files);
}

bool engine_run_wait(struct engine_run *run, double until_s)
{
    const double seconds = until_s - monotonic_s();
    if (run->running > 0 && run->interrupted == 0)
        wait_for_files(run, seconds > 0 ? seconds : 0);
    take_arrived_signals(run);
    for (size_t i = 0; i < run->started; i++)
        if (run->processes[i] != NULL) {
            tell_all(run, i);
            feed(run, run->processes[i]);
        }
    if (reap(run))
        start_more(run);
    return run->interrupted == 0 && (run->running > 0 || run->started < run->count);
}

bool engine_run_is_interrupted(const struct engine_run *run)
{
    return run->interrupted != 0;
}

/* --- ending --- */

static void signal_all(const struct engine_run *run, int number)
{
    for (size_t i = 0; i < run->started; i++)
        if (run->processes[i] != NULL)
            kill(-run->processes[i]->pid, number);
}

static void wait_for_ends(struct engine_run *run, double seconds)
{
    const double until_s = monotonic_s() + seconds;
    while (run->running > 0 && monotonic_s() < until_s) {
        wait_for_files(run, until_s - monotonic_s());
        take_arrived_signals(run);
        for (size_t i = 0; i < run->started; i++)
            if (run->processes[i] != NULL)
                tell_all(run, i);
        reap(run);
    }
}

static void ignore_line(void *context, size_t command, const char *line)
{
    (void)context;
    (void)command;
    (void)line;
}

static void ignore_end(void *context, size_t command, int status)
{
    (void)context;
    (void)command;
    (void)status;
}

void engine_run_end(struct engine_run *run)
{
    run->listener = (struct engine_listener){.on_output = ignore_line, .on_error = ignore_line, .on_end = ignore_end};
    run->most_at_once = 0;
    signal_all(run, SIGTERM);
    wait_for_ends(run, end_patience_s);
    signal_all(run, SIGKILL);
    wait_for_ends(run, last_patience_s);
    for (size_t i = 0; i < run->started; i++)
        if (run->processes[i] != NULL)
            destroy_process(run, i);
    free(run->processes);
    free(run->input);
    close(run->signals);
    sigaction(SIGPIPE, &run->on_broken_pipe, NULL);
    const int interrupted = run->interrupted;
    if (interrupted != 0)
        raise(interrupted); /* is delivered when the mask is what it was */
    sigprocmask(SIG_SETMASK, &run->before, NULL);
    free(run);
}
