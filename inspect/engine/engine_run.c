/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the commands of an engine, and reads and ends them.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Longer lines are none of ours. Reads of one file before the others have their turn. */
enum { MOST_READ_BYTES = 4096, MOST_READS = 16 };
/* That a process may have open besides its outputs. */
enum { MORE_FILES = 64 };
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
    pid_t pid;                           /* 0: not started yet, or told of its end */
    int input;                           /* -1: closed */
    size_t fed;                          /* bytes of run->input */
    struct line_reader errors, *outputs; /* the first one is standard output */
    size_t output_count;
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

/* Standard input, output and errors of a command, then its further outputs. */
enum { INPUT, OUTPUT, ERRORS, STANDARD_PIPES };

struct pipes {
    int (*items)[2]; /* [0] is read from, [1] written to */
    size_t count;
};

/* Closes the ends that have this number: of the first pipe the other one than of the others, which point the other
 * way. */
static void close_ends(const struct pipes *pipes, int end)
{
    for (size_t i = 0; i < pipes->count; i++)
        close(pipes->items[i][i == INPUT ? 1 - end : end]);
}

/* Each process may have many open files if it says so. */
static void allow_files(size_t count)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count)
        return;
    limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* The caller frees the items, also where it fails. */
static int open_pipes(const struct engine_command *command, struct pipes *ret_pipes)
{
    const size_t wanted = STANDARD_PIPES + command->output_count;
    *ret_pipes = (struct pipes){.items = allocate(wanted * sizeof *ret_pipes->items)};
    if (command->output_count > 0)
        allow_files(2 * wanted + MORE_FILES);
    while (ret_pipes->count < wanted && pipe2(ret_pipes->items[ret_pipes->count], O_CLOEXEC) == 0)
        ret_pipes->count++;
    if (ret_pipes->count == wanted)
        return 0;
    const int error = errno;
    close_ends(ret_pipes, 0);
    close_ends(ret_pipes, 1);
    errno = error;
    return -1;
}

/* Puts the further outputs where the command looks for them; whatever else was open there is of no use to it. */
static int place_outputs(const struct engine_command *command, const struct pipes *pipes)
{
    int last = STDERR_FILENO;
    for (size_t i = 0; i < command->output_count; i++)
        last = command->outputs[i] > last ? command->outputs[i] : last;
    allow_files((size_t)last + command->output_count + MORE_FILES);
    for (size_t i = 0; i < command->output_count; i++) {
        int *end = &pipes->items[STANDARD_PIPES + i][1];
        *end = fcntl(*end, F_DUPFD_CLOEXEC, last + 1); /* out of the way of the others */
        if (*end < 0)
            return -1;
    }
    for (size_t i = 0; i < command->output_count; i++)
        if (dup2(pipes->items[STANDARD_PIPES + i][1], command->outputs[i]) < 0)
            return -1;
    return 0;
}

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

static void unblock_ending(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaddset(&signals, ending[i]);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
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
    unblock_ending(); /* by which the command is ended */
    dup2(pipes->items[INPUT][0], STDIN_FILENO);
    dup2(pipes->items[OUTPUT][1], STDOUT_FILENO);
    dup2(pipes->items[ERRORS][1], STDERR_FILENO);
    if (place_outputs(command, pipes) == 0)
        execvpe(command->arguments[0], command->arguments, run->environment);
    fprintf(stderr, "%s: %s\n", command->arguments[0], strerror(errno));
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

static int take(int file)
{
    fcntl(file, F_SETFL, O_NONBLOCK);
    return file;
}

/* This process's record of a command whose other ends are closed. */
static struct engine_process *take_process(pid_t pid, const struct pipes *pipes)
{
    struct engine_process *process = allocate(sizeof *process);
    process->pid = pid;
    process->input = take(pipes->items[INPUT][1]);
    process->errors.file = take(pipes->items[ERRORS][0]);
    process->output_count = 1 + pipes->count - STANDARD_PIPES;
    process->outputs = allocate(process->output_count * sizeof *process->outputs);
    process->outputs[0].file = take(pipes->items[OUTPUT][0]);
    for (size_t i = 1; i < process->output_count; i++)
        process->outputs[i].file = take(pipes->items[STANDARD_PIPES + i - 1][0]);
    return process;
}

static int start_next(struct engine_run *run, struct reason *ret_reason)
{
    const struct engine_command *command = &run->commands[run->started];
    struct pipes pipes;
    if (open_pipes(command, &pipes) != 0) {
        free(pipes.items);
        return reason_set(ret_reason, "no pipe can be opened: %s", strerror(errno));
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0)
        become_command(run, command, &pipes, parent);
    const int error = errno;
    close_ends(&pipes, 1);
    if (pid > 0) {
        run->processes[run->started++] = take_process(pid, &pipes);
        run->running++;
    } else {
        close_ends(&pipes, 0);
        reason_set(ret_reason, "no process can be started: %s", strerror(error));
    }
    free(pipes.items);
    return pid > 0 ? 0 : -1;
}

/* A command that cannot be started counts as ended at once: only luck would make room for it later. */
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

/* Those that are blocked already are somebody else's. */
static int take_signals(struct engine_run *run)
{
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    sigemptyset(&run->awaited);
    sigaddset(&run->awaited, SIGCHLD);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction action;
        if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN &&
            !sigismember(&blocked, ending[i]))
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

/* Reads the available lines. A last line without a line break counts as a line. */
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
    for (size_t i = 0; i < run->processes[number]->output_count; i++)
        read_lines(run, &run->processes[number]->outputs[i], number, run->listener.on_output);
    read_lines(run, &run->processes[number]->errors, number, run->listener.on_error);
}

/* Ends its children with it: the group is signalled while its number cannot belong to another. */
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
    for (size_t i = 0; i < process->output_count; i++)
        if (process->outputs[i].file >= 0)
            close(process->outputs[i].file);
    if (process->errors.file >= 0)
        close(process->errors.file);
    free(process->outputs);
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
        tell_all(run, i); /* the rest of its output: others with the pipe open may write without end */
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

static size_t count_files(const struct engine_run *run)
{
    enum { INPUT_AND_ERRORS = 2 };
    size_t count = 0;
    for (size_t i = 0; i < run->started; i++)
        if (run->processes[i] != NULL)
            count += INPUT_AND_ERRORS + run->processes[i]->output_count;
    return count;
}

/* Waits until a file has something, or one can be written to. */
static void wait_for_files(struct engine_run *run, double seconds)
{
    struct pollfd *files = allocate((count_files(run) + 1) * sizeof *files);
    nfds_t count = 0;
    files[count++] = (struct pollfd){.fd = run->signals, .events = POLLIN};
    for (size_t i = 0; i < run->started; i++) {
        const struct engine_process *process = run->processes[i];
        if (process == NULL)
            continue;
        for (size_t j = 0; j < process->output_count; j++)
            files[count++] = (struct pollfd){.fd = process->outputs[j].file, .events = POLLIN};
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

bool engine_run_go_on(struct engine_run *run)
{
    const bool goes_on = run->interrupted == SIGINT;
    if (goes_on)
        run->interrupted = 0;
    return goes_on;
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
