/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens sweep: a line for each job of this host that is stuck, for programs that look after hosts.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "job/job.h"
#include "stack/stack.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"
#include "words/words.h"

#include <argp.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char description[] = "Print a line for each job of this host that is stuck, of all users when run as "
                                  "root. For cron, or as Slurm's Prolog "
                                  "or HealthCheckProgram.";

static const char more[] =
    "No process is stopped, and nothing is written but this output. Of every job, sweep reads files of /proc of its "
    "processes (status, stat, exe, cmdline, environ, maps, task) and, with process_vm_readv(2), once the tables of its "
    "ranks that "
    "were started with 'mpilens run', as each line of 'mpilens watch' does. That is all for a job in which no rank has "
    "been in one call of MPI for longer than --since. The tables of the others are read once more, half a second "
    "later, "
    "and judged as 'mpilens why' does, but without call stacks.\n\n"
    "A job whose other ranks are on other hosts is not judged: it is reported when all of its ranks here have stood "
    "still in MPI for longer than --patience. Ranks without the runtime say too little without a stop: such jobs are "
    "only counted, and listed with --json.\n\n"
    "Exit status: 0 no job is stuck, 1 at least one is, 2 wrong usage, 3 the time was too short to look at all jobs or "
    "a "
    "process did not answer, and none was found stuck so far.\n\n"
    "Examples:\n"
    "  mpilens sweep\n"
    "  mpilens sweep --since 10m --patience 2h --limit 5\n"
    "  mpilens sweep --json";

/* Between the two readings of a job that may be stuck, and turns that each of its ranks must have in it. */
static const double interval_s = 0.5;
enum { TURNS = 6 };
/* How much longer they are waited for, and how often it is looked whether they have had one. */
static const double most_more_s = 10, look_s = 0.01;

enum { OPTION_SINCE = 256, OPTION_PATIENCE, OPTION_LIMIT };

struct sweep_options {
    double since_s, patience_s, limit_s;
    bool is_json;
};

static const struct argp_option options[] = {
    {"since", OPTION_SINCE, "DURATION", 0,
     "Leave a job alone where no rank has been in one call of MPI for longer than this (default: 60 s)", 0},
    {"patience", OPTION_PATIENCE, "DURATION", 0,
     "Report a rank outside MPI, or a job with ranks on other hosts, once others have waited this long (default: 30 "
     "min)",
     0},
    {"limit", OPTION_LIMIT, "DURATION", 0, "End after this time, whatever is left (default: 30 s)", 0},
    {"json", 'j', NULL, 0, "Write one JSON document (schema mpilens/1)", 0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct sweep_options *chosen = state->input;
    switch (key) {
    case OPTION_SINCE:
        chosen->since_s = duration_option(state, "since", argument, 0, 1e9);
        return 0;
    case OPTION_PATIENCE:
        chosen->patience_s = duration_option(state, "patience", argument, 0, 1e9);
        return 0;
    case OPTION_LIMIT:
        chosen->limit_s = duration_option(state, "limit", argument, 0.1, 86400);
        return 0;
    case 'j':
        chosen->is_json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "sweep looks at all jobs of this host: '%s' is too much", argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

enum swept_state {
    SWEPT_GOOD,
    SWEPT_STUCK,   /* it has a finding */
    SWEPT_STILL,   /* its ranks here stand still in MPI, and it has others elsewhere */
    SWEPT_UNKNOWN, /* without the runtime, or it could not be read */
    SWEPT_MISSED,  /* there was no time left */
};

struct swept_job {
    enum swept_state state;
    pid_t pid;
    struct job job; /* as read last; cleared once that is told */
    struct process_reading *starved;
    double for_s; /* the oldest call that it stands still in; -1: none */
    const char *kind, *message;
};

struct sweep {
    const struct sweep_options *options;
    struct swept_job *jobs;
    size_t count;
    double began_s;
};

/* -- When the time is over, in the middle of whatever is done. */

static atomic_bool is_any_told; /* that a job is stuck: it stays said if another one takes all the time */

static double left_s(const struct sweep *sweep)
{
    return sweep->began_s + sweep->options->limit_s - monotonic_s();
}

static void *end_in_time(void *context)
{
    static const char message[] = "mpilens: the time of --limit is over, and a job was still being read\n";
    const struct sweep *sweep = context;
    job_verb_wait_until(sweep->began_s + sweep->options->limit_s + 1);
    const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(atomic_load(&is_any_told) ? EXIT_FINDING : EXIT_UNREADABLE);
}

static void begin_time(struct sweep *sweep)
{
    static const char variable[] = "MPILENS_SWEEP_BEGAN"; /* also for who starts over without a process */
    const char *began = getenv(variable);
    pthread_t thread;
    sweep->began_s = began != NULL ? strtod(began, NULL) : monotonic_s();
    if (!(sweep->began_s > 0 && sweep->began_s <= monotonic_s()))
        sweep->began_s = monotonic_s();
    char *text = format_text("%.3f", sweep->began_s);
    setenv(variable, text, 1);
    free(text);
    if (pthread_create(&thread, NULL, end_in_time, sweep) == 0)
        pthread_detach(thread);
}

/* -- Reading. */

static bool is_read(const struct process *process)
{
    return process->reason == NULL && process->state == PROCESS_RUNNING;
}

/* The call that the rank has been in for the longest time; -1: it is in none. */
static double find_age(const struct process *process, bool only_stalled)
{
    double age_s = -1;
    for (size_t i = 0; i < process->thread_count && is_read(process); i++) {
        const struct thread *thread = &process->threads[i];
        if (!thread->ended && thread->function[0] != '\0' && (thread->stalled || !only_stalled) &&
            thread->age_s > age_s)
            age_s = thread->age_s;
    }
    return age_s;
}

static double find_oldest(const struct job *job, bool only_stalled)
{
    double age_s = -1;
    for (size_t i = 0; i < job->process_count; i++) {
        const double one_s = find_age(&job->processes[i], only_stalled);
        age_s = one_s > age_s ? one_s : age_s;
    }
    return age_s;
}

static size_t count_read(const struct job *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++)
        count += job->processes[i].reason == NULL;
    return count;
}

static const struct collect_plan glance = {.depth = COLLECT_SAMPLE};

/* Whether it is to be read once more. */
static bool look(const struct dll *dll, const struct found_job *found, const struct sweep *sweep,
                 struct swept_job *swept)
{
    read_found_job(dll, found, false, &glance, &swept->job);
    job_note_activity(&swept->job);
    if (count_read(&swept->job) == 0)
        swept->state = SWEPT_UNKNOWN;
    return find_oldest(&swept->job, false) > sweep->options->since_s;
}

static bool have_had_turns(const struct sweep *sweep, struct process_reading *const *begin)
{
    for (size_t i = 0; i < sweep->count; i++)
        if (begin[i] != NULL && !job_has_had_turn(&sweep->jobs[i].job, begin[i]))
            return false;
    return true;
}

/* Marks the ranks that had no turn: nothing is proven by their standing still. Takes the array of turns. */
static void note_starved(struct swept_job *swept, struct process_reading *begin)
{
    job_end_turn(&swept->job, begin);
    if (swept->starved == NULL) {
        swept->starved = begin;
        return;
    }
    for (size_t i = 0; i < swept->job.process_count; i++)
        if (begin[i].at_s >= 0)
            swept->starved[i] = begin[i];
    free(begin);
}

/* Until then, and longer where a host is so busy that ranks still wait for a processor. */
static void watch_turns(struct sweep *sweep, const bool *is_suspect, double end_s)
{
    const double begin_s = monotonic_s();
    struct process_reading **begin = allocate((sweep->count + 1) * sizeof(struct process_reading *));
    for (int turn = 1; turn <= TURNS; turn++) {
        for (size_t i = 0; i < sweep->count; i++)
            begin[i] = is_suspect[i] ? job_begin_turn(&sweep->jobs[i].job) : NULL;
        job_verb_wait_until(begin_s + (end_s - begin_s) * turn / TURNS);
        while (!have_had_turns(sweep, begin) && monotonic_s() < end_s + most_more_s && left_s(sweep) > 2 * interval_s)
            job_verb_wait_until(monotonic_s() + look_s);
        for (size_t i = 0; i < sweep->count; i++)
            if (is_suspect[i])
                note_starved(&sweep->jobs[i], begin[i]);
    }
    free(begin);
}

/* All ranks that could be read have stood still for so long. */
static bool stands_still(const struct job *job, double patience_s)
{
    size_t still = 0;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason == NULL) {
            if (find_age(&job->processes[i], true) <= patience_s)
                return false;
            still++;
        }
    return still > 0;
}

static void judge(const struct sweep *sweep, struct swept_job *swept)
{
    struct analysis_options how = analysis_default_options();
    struct analysis analysis;
    how.patience_s = sweep->options->patience_s;
    job_resolve_sites(&swept->job);
    analyze(&swept->job, &how, &analysis);
    swept->for_s = find_oldest(&swept->job, true);
    if (analysis.findings.count > 0) {
        swept->state = SWEPT_STUCK;
        swept->kind = finding_kind_name(analysis.findings.items[0].kind);
        swept->message = arena_copy(analysis.findings.items[0].message);
    } else if (swept->job.size > (int)count_read(&swept->job) &&
               stands_still(&swept->job, sweep->options->patience_s)) {
        swept->state = SWEPT_STILL;
        swept->message =
            arena_text("its %zu ranks here stand still in MPI; 'mpilens why %ld' asks the other hosts, too",
                       count_read(&swept->job), (long)swept->pid);
    }
    analysis_clear(&analysis);
}

static const char *name_program(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].executable != NULL)
            return job->processes[i].executable;
    return NULL;
}

static const char *name_identity(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason == NULL && job->processes[i].job_identity != NULL &&
            job->processes[i].job_identity[0] != '\0')
            return job->processes[i].job_identity;
    return NULL;
}

static bool is_told(const struct swept_job *swept)
{
    return swept->state == SWEPT_STUCK || swept->state == SWEPT_STILL;
}

/* Other programs read it: a job is a line, however long. */
static void tell_line(const struct swept_job *swept)
{
    const struct job *job = &swept->job;
    const char *program = name_program(job), *identity = name_identity(job);
    const bool is_slurm = identity != NULL && strncmp(identity, "slurm ", 6) == 0;
    char *line = escaped_text(
        arena_text("pid %ld%s%s, %s, %d rank%s of %s, for %s: %s%s%s", (long)swept->pid, is_slurm ? ", " : "",
                   is_slurm ? identity : "", job->user != NULL ? job->user : "?",
                   job->size > 0 ? job->size : (int)job->process_count, job->size == 1 ? "" : "s",
                   program != NULL ? program : "?", describe_age(swept->for_s), swept->kind != NULL ? swept->kind : "",
                   swept->kind != NULL ? ": " : "", swept->message));
    puts(line);
    free(line);
}

static void read_again(const struct dll *dll, const struct found_job *found, const struct sweep *sweep,
                       struct swept_job *swept)
{
    struct job later;
    const double before_s = monotonic_s();
    read_found_job(dll, found, false, &glance, &later);
    sample_job_compare(&swept->job, swept->starved, interval_s + (monotonic_s() - before_s), &later);
    job_clear(&swept->job);
    swept->job = later;
    judge(sweep, swept);
    if (!is_told(swept) || sweep->options->is_json)
        return;
    tell_line(swept);
    atomic_store(&is_any_told, fflush(stdout) == 0);
}

static void look_at_all(const struct dll *dll, struct sweep *sweep, const struct found_jobs *found)
{
    bool *is_suspect = allocate(found->count + 1), is_any = false;
    double first_s = monotonic_s();
    for (size_t i = 0; i < found->count; i++) {
        struct swept_job *swept = &sweep->jobs[i];
        *swept = (struct swept_job){.pid = found_job_pid(&found->items[i]), .for_s = -1};
        if (left_s(sweep) < 2 * interval_s) {
            swept->state = SWEPT_MISSED;
            continue;
        }
        is_suspect[i] = look(dll, &found->items[i], sweep, swept);
        first_s = is_suspect[i] ? monotonic_s() : first_s;
        is_any = is_any || is_suspect[i];
    }
    if (is_any)
        watch_turns(sweep, is_suspect, first_s + interval_s);
    for (size_t i = 0; i < found->count; i++) {
        if (is_suspect[i] && left_s(sweep) > 0)
            read_again(dll, &found->items[i], sweep, &sweep->jobs[i]);
        else if (is_suspect[i])
            sweep->jobs[i].state = SWEPT_MISSED;
    }
    free(is_suspect);
}

/* -- Telling. */

static void write_job(struct json_stream *document, const struct swept_job *swept)
{
    static const char *const states[] = {[SWEPT_GOOD] = "good",
                                         [SWEPT_STUCK] = "stuck",
                                         [SWEPT_STILL] = "still",
                                         [SWEPT_UNKNOWN] = "unknown",
                                         [SWEPT_MISSED] = "missed"};
    const struct job *job = &swept->job;
    json_stream_open_object(document, NULL);
    json_stream_text(document, "state", states[swept->state]);
    json_stream_number(document, "pid", swept->pid);
    json_stream_text(document, "identity", name_identity(job));
    json_stream_text(document, "user", job->user);
    json_stream_text(document, "program", name_program(job));
    json_stream_integer_if(document, "size", job->size > 0, job->size);
    json_stream_number(document, "ranks_read", (int64_t)count_read(job));
    json_stream_seconds(document, "for_s", swept->for_s);
    json_stream_text(document, "kind", swept->kind);
    json_stream_text(document, "message", swept->message);
    json_stream_close(document);
}

static int tell_json(const struct sweep *sweep)
{
    struct json_stream document = {.file = stdout};
    json_stream_open_document(&document, "sweep");
    json_stream_seconds(&document, "took_s", monotonic_s() - sweep->began_s);
    json_stream_open_array(&document, "jobs");
    for (size_t i = 0; i < sweep->count; i++)
        write_job(&document, &sweep->jobs[i]);
    json_stream_close(&document);
    json_stream_close(&document);
    return json_stream_finish(&document);
}

static int tell(const struct sweep *sweep)
{
    if (sweep->options->is_json)
        return tell_json(sweep);
    return finish_output(stdout);
}

static enum exit_status status_of(const struct sweep *sweep)
{
    enum exit_status status = EXIT_GOOD;
    for (size_t i = 0; i < sweep->count; i++) {
        if (is_told(&sweep->jobs[i]))
            return EXIT_FINDING;
        if (sweep->jobs[i].state == SWEPT_MISSED)
            status = EXIT_UNREADABLE;
    }
    if (status == EXIT_UNREADABLE)
        print_line(stderr, "mpilens: the time of --limit was too short to look at all jobs");
    return status;
}

static enum exit_status sweep_host(const struct dll *dll, const struct sweep_options *chosen)
{
    static struct sweep sweep; /* until the process ends: another thread looks at it */
    sweep.options = chosen;
    begin_time(&sweep);
    struct found_jobs found = find_jobs(dll, geteuid() == 0 ? ANY_USER : geteuid());
    sweep.jobs = allocate((found.count + 1) * sizeof *sweep.jobs);
    sweep.count = found.count;
    look_at_all(dll, &sweep, &found);
    enum exit_status status = status_of(&sweep);
    if (tell(&sweep) != 0) {
        perror("mpilens: standard output");
        status = EXIT_UNREADABLE;
    }
    for (size_t i = 0; i < sweep.count; i++) {
        free(sweep.jobs[i].starved);
        job_clear(&sweep.jobs[i].job);
    }
    free(sweep.jobs);
    return status;
}

enum exit_status verb_sweep(int argument_count, char **arguments)
{
    static struct sweep_options chosen = {.since_s = 60, .patience_s = 1800, .limit_s = 30};
    enum exit_status status = EXIT_UNREADABLE;
    struct reason reason;
    struct dll dll;
    char *document = format_text("%s\v%s", description, more);
    char *name = format_text("mpilens %s", arguments[0]);
    const struct argp argp = {.options = options, .parser = parse_option, .doc = document};
    arguments[0] = name;
    command_line_parse(&argp, argument_count, arguments, 0, &chosen);
    if (dll_open(NULL, &dll, &reason) == 0) {
        status = sweep_host(&dll, &chosen);
        dll_close(&dll);
    } else {
        print_reason(stderr, &reason);
    }
    free(name);
    free(document);
    return status;
}
