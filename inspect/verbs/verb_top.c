/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens top: a full-screen view of a job. One process has the terminal, another one reads the job.
 */
#include "base/base.h"
#include "job/job.h"
#include "monitor/monitor.h"
#include "stack/stack.h"
#include "text/text.h"
#include "top/top.h"
#include "verbs/verbs_internal.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char description[] =
    "Watch a job on the full screen: what each rank does, the verdict, the ranks that others wait for and since when, "
    "and rates of messages.";

static const char more[] =
    "TARGET is as in 'mpilens watch': a PID of any rank or of the launcher, the name of the program, core files or a "
    "snapshot. Without TARGET, the only job of this user on this host is meant.\n\n"
    "Keys:\n"
    "  r  calls, queues and objects of one rank\n"
    "  s  call stacks of one rank or of all, each of which is stopped for a moment\n"
    "  v  the whole verdict\n"
    "  w  write a snapshot\n"
    "  f  show only ranks on some hosts\n"
    "  o  order of the calls: by number of ranks, by age, by rank\n"
    "  h  help, with the letters of the strip\n"
    "  q  quit, or back\n\n"
    "The job is read once for each screen and not stopped. The verdict comes of two readings one after the other: a "
    "rank that had no processor in between is not blamed. Of ranks without the runtime, the call stacks are read each "
    "time, which stops each of them for a moment.\n\n"
    "On a terminal that cannot be drawn on, or in a file, use 'mpilens watch'.\n\n"
    "Exit status: 0 the user has quit or the job has ended; 2 wrong usage; 3 nothing could be read, or there is no "
    "terminal.\n\n"
    "Examples:\n"
    "  mpilens top\n"
    "  mpilens top 4711 --interval 5";

/* A process that has had no turn is looked at as often between two readings. */
enum { TURNS = 6 };

/* The process that reads. */
struct top_reader {
    struct job_moments *moments;
    FILE *facts;
    int filter; /* hosts that the user types come here */
    char host[MOST_TOP_INPUT];
    struct job *job;
    const struct job *before; /* NULL: there is none */
    double interval_s;        /* between them */
};

static void send_facts(struct top_reader *reader)
{
    char clock[sizeof "0000-00-00 00:00:00"] = "";
    const struct job *job = reader->job;
    const time_t now = job->snapshot != NULL ? (time_t)job->snapshot_taken : time(NULL);
    struct arena texts = {0};
    struct arena *outer = arena_use(&texts);
    struct tm local;
    if (localtime_r(&now, &local) != NULL)
        strftime(clock, sizeof clock, job->snapshot != NULL ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &local);
    struct top_facts facts = top_facts_make(&(struct top_reading){.job = reader->job,
                                                                  .before = reader->before,
                                                                  .interval_s = reader->interval_s,
                                                                  .ranks = &reader->moments->options->render.ranks,
                                                                  .host = reader->host,
                                                                  .clock = clock});
    top_facts_write(reader->facts, &facts);
    arena_use(outer);
    arena_clear(&texts);
    if (finish_output(reader->facts) != 0)
        exit(EXIT_GOOD); /* the user has quit */
}

/* Takes what the user has typed until then, if anything. */
static void take_filter(struct top_reader *reader, double until_s)
{
    for (;;) {
        struct pollfd file = {.fd = reader->filter, .events = POLLIN};
        const double left_s = until_s - monotonic_s();
        const int ready = poll(&file, 1, left_s > 0 ? (int)fmin(ceil(left_s * 1000), 3600e3) : 0);
        if (ready <= 0 && left_s <= 0)
            return;
        if (ready <= 0)
            continue;
        if (read(reader->filter, reader->host, sizeof reader->host) != (ssize_t)sizeof reader->host)
            exit(EXIT_GOOD);
        send_facts(reader);
    }
}

/* Until then. Returns the processes that had no turn, as of job_end_turn(); the caller frees it. */
static struct process_reading *wait_for_turns(struct top_reader *reader, double begin_s, double end_s)
{
    struct process_reading *starved = job_begin_turn(reader->job);
    for (size_t i = 0; i < reader->job->process_count; i++)
        starved[i].at_s = -1;
    for (int turn = 1; turn <= TURNS; turn++) {
        struct process_reading *begin = job_begin_turn(reader->job);
        take_filter(reader, begin_s + (end_s - begin_s) * turn / TURNS);
        job_end_turn(reader->job, begin);
        for (size_t i = 0; i < reader->job->process_count; i++)
            if (begin[i].at_s >= 0)
                starved[i] = begin[i];
        free(begin);
    }
    return starved;
}

static enum exit_status end_of(enum job_moment moment, const struct reason *reason)
{
    if (moment == JOB_MOMENT_LOST)
        print_reason(stderr, reason);
    else
        print_line(stderr, "mpilens: the job has ended");
    return moment == JOB_MOMENT_LOST ? EXIT_UNREADABLE : EXIT_GOOD;
}

/* Reads the job until it has ended. `jobs[0]`: the first reading, and room for one more. */
static enum exit_status read_on(struct top_reader *reader, struct job *jobs)
{
    const double interval_s = reader->moments->options->interval_s;
    double read_s = monotonic_s();
    struct reason reason;
    const struct arena_mark texts = arena_mark();
    for (size_t number = 0;; number = 1 - number) {
        enum job_moment moment = JOB_MOMENT_NONE;
        arena_release(texts); /* of the moment before */
        struct job *next = &jobs[1 - number];
        reader->job = &jobs[number];
        send_facts(reader);
        if (reader->moments->is_constant)
            take_filter(reader, INFINITY);
        struct process_reading *starved = NULL;
        double next_s = read_s;
        while (moment == JOB_MOMENT_NONE) {
            next_s = fmax(next_s + interval_s, monotonic_s());
            free(starved);
            starved = wait_for_turns(reader, monotonic_s(), next_s);
            if (reader->before != NULL)
                job_clear(next);
            reader->before = NULL;
            arena_release(texts);
            moment = job_moments_read(reader->moments, next, &reason);
        }
        if (moment != JOB_MOMENT_READ) {
            free(starved);
            return end_of(moment, &reason);
        }
        reader->interval_s = monotonic_s() - read_s;
        read_s = monotonic_s();
        sample_job_compare(reader->job, starved, reader->interval_s, next);
        free(starved);
        reader->before = reader->job;
    }
}

/* Signals of the terminal are for the process that has it. */
static void leave_terminal(int messages)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGTSTP, SIG_IGN); /* it may have frozen a rank */
    signal(SIGPIPE, SIG_IGN);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    close(nothing);
    end_with_parent();
}

struct pipes {
    int facts[2], messages[2], filter[2];
};

static int make_pipes(struct pipes *ret_pipes)
{
    return pipe2(ret_pipes->facts, O_CLOEXEC) == 0 && pipe2(ret_pipes->messages, O_CLOEXEC) == 0 &&
                   pipe2(ret_pipes->filter, O_CLOEXEC) == 0
               ? 0
               : -1;
}

static _Noreturn void be_reader(const struct pipes *pipes, struct job_moments *moments, struct job *jobs)
{
    leave_terminal(pipes->messages[1]);
    close(pipes->facts[0]);
    close(pipes->filter[1]);
    struct top_reader reader = {.moments = moments, .facts = fdopen(pipes->facts[1], "w"), .filter = pipes->filter[0]};
    exit(reader.facts != NULL ? read_on(&reader, jobs) : EXIT_UNREADABLE);
}

/* The words that name the job for another command. */
static struct engine_words name_target(const struct job_moments *moments)
{
    const struct options *options = moments->options;
    struct engine_words words = {0};
    if (options->slurm_job != NULL)
        engine_words_add(&words, "--slurm=%s", options->slurm_job);
    if (options->hosts.list != NULL)
        engine_words_add(&words, "--hosts=%s", options->hosts.list);
    if (options->hosts.engine != NULL)
        engine_words_add(&words, "--engine=%s", options->hosts.engine);
    if (options->hosts.here)
        engine_words_add(&words, "--here");
    for (size_t i = 0; i < moments->request.target_count; i++)
        engine_words_add(&words, "%s", moments->request.targets[i]);
    return words;
}

static enum exit_status show(struct job_moments *moments, struct job *jobs)
{
    struct pipes pipes;
    fflush(NULL);
    const pid_t reader = make_pipes(&pipes) == 0 ? fork() : -1;
    if (reader == 0)
        be_reader(&pipes, moments, jobs);
    if (reader < 0) {
        perror("mpilens: no second process");
        return EXIT_UNREADABLE;
    }
    close(pipes.facts[1]);
    close(pipes.messages[1]);
    close(pipes.filter[0]);
    static char *const none[] = {NULL};
    struct engine_words target = name_target(moments);
    return top_screen_run(&(struct top_plan){.facts = pipes.facts[0],
                                             .messages = pipes.messages[0],
                                             .filter = pipes.filter[1],
                                             .reader = reader,
                                             .target = target.count > 0 ? target.items : none,
                                             .color = moments->options->render.color,
                                             .interval_s = moments->options->interval_s,
                                             .is_constant = moments->is_constant});
}

static enum exit_status watch(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    struct job_moments moments;
    struct job jobs[2] = {0};
    progress_line_begin();
    enum exit_status status = job_moments_begin(&moments, dll, options, &jobs[0], ret_reason);
    progress_line_end();
    if (status != EXIT_GOOD)
        return status;
    status = show(&moments, jobs);
    job_clear(&jobs[0]);
    return status;
}

static enum exit_status check_terminal(struct options *options, struct reason *ret_reason)
{
    (void)options;
    return top_terminal_check(ret_reason) == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
}

enum exit_status verb_top(int argument_count, char **arguments)
{
    static const struct job_verb verb = {.description = description,
                                         .more = more,
                                         .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_PACE,
                                         .check = check_terminal,
                                         .run = watch};
    return job_verb_run(&verb, argument_count, arguments);
}
