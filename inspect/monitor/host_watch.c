/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs an engine for as long as a job is guarded, and hands on what comes.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "discover/discover.h"
#include "engine/engine.h"
#include "gather/gather.h"
#include "job/job.h"
#include "part/part.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Engines have limits of time for commands: 23 days, the most that clush takes. Then hosts are asked anew. */
static const double endless_s = 2e6;
/* A host that has sent marks may miss some. */
static const double missed_marks = 3;
/* The most bytes read of engines' complaints. */
static const size_t most_bytes = 1 << 20;

struct listener {
    const struct host_watch_plan *plan;
    int pipe;
    struct wide_job job;
    bool has_job;
    struct host_list hosts; /* that are asked */
    struct engine_plan engine;
    struct shipment shipment;
    struct host_answers answers;
    struct part_reader *reader; /* of what is no mark */
    struct part_stream stream;
    double *last_s; /* by host: when a mark came, or the engine was started */
    bool *has_said;
    bool *is_gone; /* lost or over, which was told */
};

static void tell(const struct listener *listener, enum host_message_kind kind, const char *host,
                 struct host_message message)
{
    message.kind = kind;
    message.at_s = monotonic_s();
    snprintf(message.host, sizeof message.host, "%s", host);
    if (write(listener->pipe, &message, sizeof message) != (ssize_t)sizeof message)
        _exit(EXIT_FAILURE); /* nobody listens: the engine's commands end with this process */
}

static void tell_lost(const struct listener *listener, const char *host, const char *reason)
{
    struct host_message message = {.ranks = 0};
    snprintf(message.text, sizeof message.text, "%s", reason);
    tell(listener, HOST_LOST, host, message);
}

static void lose(struct listener *listener, size_t number)
{
    if (listener->is_gone[number])
        return;
    listener->is_gone[number] = true;
    const bool has_stopped = listener->has_said[number] && listener->answers.items[number].worth < REASON_WORDS;
    char *reason = has_stopped ? copy_text("it has done so, but does no longer")
                               : host_answers_explain(&listener->answers, number, listener->reader, 1,
                                                      monotonic_s() - listener->last_s[number]);
    tell_lost(listener, listener->hosts.names[number], reason);
    free(reason);
}

static void take_mark(struct listener *listener, size_t number, const struct part_line *line)
{
    struct host_message message = {.ranks = 0};
    if (!part_parse_mark(line, &message.quiet_s, &message.ranks))
        return;
    listener->last_s[number] = monotonic_s();
    listener->has_said[number] = true;
    listener->is_gone[number] = false;
    tell(listener, HOST_MARK, listener->hosts.names[number], message);
}

/* The host's command has ended: with status 0 only when its ranks have. */
static void take_status(struct listener *listener, size_t number, const struct part_line *line)
{
    if (line->length != 1 || line->text[0] != '0' || listener->is_gone[number]) {
        lose(listener, number);
        return;
    }
    listener->is_gone[number] = true;
    tell(listener, HOST_OVER, listener->hosts.names[number], (struct host_message){.ranks = 0});
}

static void take_output(void *context, size_t command, const char *text)
{
    struct listener *listener = context;
    const char *host = listener->engine.commands[command].host;
    struct part_line line;
    size_t rest;
    part_reader_feed(listener->reader, &listener->stream, text, strlen(text));
    part_reader_feed(listener->reader, &listener->stream, "\n", 1);
    host_answers_note_output(&listener->answers, host, text, listener->reader);
    for (size_t length = strlen(text); part_line_find(text, length, &line, &rest); text += rest, length -= rest) {
        const size_t number = host_list_find(&listener->hosts, host != NULL ? host : line.host);
        if (number == listener->hosts.count)
            continue;
        if (line.word == PART_WORD_MARK)
            take_mark(listener, number, &line);
        else if (line.word == PART_WORD_STATUS)
            take_status(listener, number, &line);
    }
}

static void take_error(void *context, size_t command, const char *text)
{
    struct listener *listener = context;
    host_answers_note_error(&listener->answers, listener->engine.commands[command].host, text);
}

static void take_end(void *context, size_t command, int status)
{
    struct listener *listener = context;
    const char *host = listener->engine.commands[command].host;
    host_answers_note_end(&listener->answers, host, status);
    for (size_t i = 0; i < listener->hosts.count; i++)
        if (host == NULL || strcmp(host, listener->hosts.names[i]) == 0)
            lose(listener, i);
}

static void lose_silent(struct listener *listener)
{
    const double patience_s = listener->plan->reach->timeout_s;
    for (size_t i = 0; i < listener->hosts.count; i++) {
        const double more_s = listener->has_said[i] ? missed_marks * listener->plan->interval_s : 0;
        if (monotonic_s() - listener->last_s[i] > patience_s + more_s)
            lose(listener, i);
    }
}

static bool is_asked(const struct host_watch_plan *plan, const char *host)
{
    if (plan->lost == NULL)
        return !is_this_host(host);
    for (size_t i = 0; i < plan->lost->count; i++)
        if (plan->lost->items[i].is_lost && strcmp(plan->lost->items[i].name, host) == 0)
            return true;
    return false;
}

static void find_job(void *context)
{
    struct listener *listener = context;
    const struct host_watch_plan *plan = listener->plan;
    char pid[32], *target = pid;
    struct reason reason;
    snprintf(pid, sizeof pid, "%ld", (long)plan->process);
    const struct wide_job_request request = {.targets = &target, .target_count = 1, .hosts = plan->reach->hosts};
    listener->has_job = wide_job_find(plan->dll, &request, &listener->job, &reason) == WIDE_JOB_HOSTS;
}

/* Tells which hosts are asked. */
static bool find_hosts(struct listener *listener)
{
    const struct host_watch_plan *plan = listener->plan;
    if (!blocked_read_leave_out(find_job, listener) || !listener->has_job)
        return false;
    for (size_t i = 0; i < listener->job.where.hosts.count; i++)
        if (is_asked(plan, listener->job.where.hosts.names[i]))
            host_list_add(&listener->hosts, listener->job.where.hosts.names[i]);
    for (size_t i = 0; i < listener->hosts.count; i++)
        tell(listener, HOST_ASKED, listener->hosts.names[i], (struct host_message){.ranks = 0});
    if (listener->hosts.count > 0)
        tell(listener, HOST_ALL_NAMED, "", (struct host_message){.ranks = 0});
    return listener->hosts.count > 0;
}

static struct engine_words sender_command(const struct listener *listener, const char *program)
{
    struct engine_words words = {.count = 0};
    engine_words_add(&words, "%s", program);
    engine_words_add(&words, "part");
    engine_words_add(&words, "--marks=%.3gs", listener->plan->interval_s);
    if (listener->job.identity != NULL) {
        char *word = write_identity_word(listener->job.identity);
        engine_words_add(&words, "--");
        engine_words_add(&words, "%s", word);
        free(word);
    } else if (listener->job.where.slurm_job != NULL) {
        engine_words_add(&words, "--slurm=%s", listener->job.where.slurm_job);
    }
    return words;
}

static int make_plan(struct listener *listener, const char *program, struct reason *ret_reason)
{
    const struct host_reach *reach = listener->plan->reach;
    const struct engine *engine = reach->engine;
    if (engine == NULL)
        engine = engine_choose(listener->job.where.slurm_job, listener->job.where.slurm_components,
                               listener->hosts.count, ret_reason);
    if (engine == NULL)
        return -1;
    if (reach->ship && listener->hosts.count > engine->most_input_hosts)
        return reason_set(ret_reason, "mpilens cannot be sent by the engine %s", engine->name);
    if (reach->ship && shipment_make(&listener->shipment, ret_reason) != 0)
        return -1;
    struct engine_words command = sender_command(listener, program);
    if (reach->ship)
        shipment_wrap(&listener->shipment, &command);
    const struct engine_task task = {.hosts = &listener->hosts,
                                     .slurm_job = listener->job.where.slurm_job,
                                     .slurm_components = listener->job.where.slurm_components,
                                     .command = (const char *const *)command.items,
                                     .custom = reach->engine_words,
                                     .timeout_s = endless_s};
    return engine_plan_make(engine, &task, &listener->engine, ret_reason);
}

/* Until all has ended, or this process is to end. */
static int listen_to_engine(struct listener *listener, struct reason *ret_reason)
{
    static const char beginning[] = "stay\n"; /* from then on it ends with this process */
    const struct engine_listener told = {
        .on_output = take_output, .on_error = take_error, .on_end = take_end, .context = listener};
    struct engine_run *run;
    if (engine_run_begin(listener->engine.commands, listener->engine.count, listener->engine.most_at_once,
                         listener->engine.environment, &told, &run, ret_reason) != 0)
        return -1;
    if (listener->shipment.count > 0)
        engine_run_say(run, listener->shipment.bytes, listener->shipment.count);
    engine_run_say(run, beginning, sizeof beginning - 1);
    while (engine_run_wait(run, monotonic_s() + listener->plan->interval_s))
        lose_silent(listener);
    engine_run_end(run);
    return 0;
}

static int watch_hosts(struct listener *listener, struct reason *ret_reason)
{
    char *program = realpath("/proc/self/exe", NULL);
    if (program == NULL)
        return reason_set(ret_reason, "/proc/self/exe: %s", strerror(errno));
    const size_t count = listener->hosts.count;
    listener->answers = host_answers_begin(&listener->hosts, program);
    listener->reader = part_reader_create(most_bytes);
    listener->last_s = allocate(count * sizeof *listener->last_s);
    listener->has_said = allocate(count * sizeof *listener->has_said);
    listener->is_gone = allocate(count * sizeof *listener->is_gone);
    for (size_t i = 0; i < count; i++)
        listener->last_s[i] = monotonic_s();
    const int result = make_plan(listener, program, ret_reason);
    return result == 0 ? listen_to_engine(listener, ret_reason) : -1;
}

static void become_listener(const struct host_watch_plan *plan, int pipe, pid_t parent)
{
    struct listener listener = {.plan = plan, .pipe = pipe};
    struct reason reason;
    sigset_t ending;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    setsid(); /* terminal signals are for the job */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigprocmask(SIG_UNBLOCK, &ending, NULL);
    setenv("PYTHONUNBUFFERED", "1", 0); /* engines in Python keep lines back without it */
    if (find_hosts(&listener) && watch_hosts(&listener, &reason) != 0)
        for (size_t i = 0; i < listener.hosts.count; i++)
            tell_lost(&listener, listener.hosts.names[i], reason.text);
    _exit(EXIT_SUCCESS);
}

int host_watch_begin(const struct host_watch_plan *plan, struct host_watch *ret_watch, struct reason *ret_reason)
{
    int files[2];
    if (pipe2(files, O_CLOEXEC) != 0)
        return reason_set(ret_reason, "no pipe can be opened: %s", strerror(errno));
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        close(files[0]);
        become_listener(plan, files[1], parent);
    }
    close(files[1]);
    if (pid < 0) {
        const int error = errno;
        close(files[0]);
        return reason_set(ret_reason, "no process can be started: %s", strerror(error));
    }
    fcntl(files[0], F_SETFL, O_NONBLOCK);
    *ret_watch = (struct host_watch){.process = pidfd_open(pid, 0), .pipe = files[0]};
    return 0;
}

int host_watch_read(const struct host_watch *watch, struct host_message *ret_message)
{
    const ssize_t count = read(watch->pipe, ret_message, sizeof *ret_message);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    return count == (ssize_t)sizeof *ret_message ? 1 : -1;
}

void host_watch_end(struct host_watch *watch)
{
    close(watch->pipe);
    if (watch->process >= 0) {
        pidfd_send_signal(watch->process, SIGTERM, NULL, 0);
        close(watch->process);
    }
    *watch = (struct host_watch){.process = -1, .pipe = -1};
}
