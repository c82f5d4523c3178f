/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text of `list`: a line for each job and why processes of it could not be read; or, where that is asked for, a
 * line for each rank.
 */

#include "base/base.h"
#include "render/text/render_text_internal.h"
#include "text/text.h"

#include <string.h>
#include <time.h>

static bool has_no_process(const struct process *process)
{
    return process->reason != NULL && process->pid <= 0 && process->core == NULL;
}

static bool has_only_stacks(const struct process *process)
{
    return process->reason != NULL && process->lacks_tables && !process->is_before_mpi;
}

static void list_process(struct text_table *table, const struct process *process)
{
    const char *rank = process->rank >= 0 ? arena_text("%d", process->rank) : "?";
    const char *pid = process->pid > 0 ? arena_text("%ld", (long)process->pid) : "";
    const char *state = has_only_stacks(process) ? "call stacks only"
                        : process->reason != NULL
                            ? arena_text("%s: %s", describe_state(process->state), process->reason)
                            : arena_copy(describe_state(process->state));
    char empty[] = "";
    const char *const cells[] = {rank, pid, state, process->executable != NULL ? process->executable : empty};
    text_table_add(table, cells, process->reason != NULL ? "yellow" : NULL);
}

/* Ranks without a process here, alike ones together. */
static void list_unread(struct text_table *table, const struct job *job, const struct unread_ranks *unread)
{
    const enum process_state kind = unread->first != NULL ? unread->first->state : PROCESS_UNREADABLE;
    const char *reason = unread->first != NULL ? unread->first->reason : job->absent_reason;
    const char *state = arena_text("%s: %s", describe_state(kind), reason);
    char empty[] = "";
    const char *const cells[] = {unread->ranks, empty, state,
                                 unread->first != NULL && unread->first->executable != NULL ? unread->first->executable
                                                                                            : empty};
    text_table_add(table, cells, "yellow");
}

static int list_job(FILE *stream, const struct job *job, const struct render_options *options)
{
    static const struct text_column columns[] = {
        {"RANK", true, false}, {"PID", true, false}, {"STATE", false, false}, {"EXECUTABLE", false, false}};
    struct text_table *table = text_table_create(columns, 4, true, options->color);
    struct unread_list list = unread_list_make(job, &options->ranks, has_no_process);
    size_t next = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        if (next < list.count && list.items[next].first == &job->processes[i])
            list_unread(table, job, &list.items[next++]);
        else if (!has_no_process(&job->processes[i]) && rank_is_chosen(&options->ranks, job->processes[i].rank))
            list_process(table, &job->processes[i]);
    }
    for (; next < list.count; next++)
        list_unread(table, job, &list.items[next]);
    return text_table_finish(table, stream);
}

static int list_ranks(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options)
{
    int result = 0;
    for (size_t i = 0; i < job_count && result == 0; i++) {
        if (i > 0)
            fputc('\n', stream);
        render_header(stream, &jobs[i], options);
        result = list_job(stream, &jobs[i], options);
    }
    return result;
}

/* "4", or "2 of 64" where the others have no process here. */
static const char *count_ranks(const struct job *job)
{
    size_t here = 0;
    for (size_t i = 0; i < job->process_count; i++)
        here += !has_no_process(&job->processes[i]);
    return job->size > 0 && (size_t)job->size != here ? arena_text("%zu of %d", here, job->size)
                                                      : arena_text("%zu", here);
}

static const char *describe_job_age(const struct job *job)
{
    const double now = job->snapshot != NULL ? (double)job->snapshot_taken : (double)time(NULL);
    const double age_s = now - (double)job->started;
    return describe_age(job->started > 0 && age_s >= 0 ? age_s : -1);
}

/* The name of a job without a command: core files and older snapshots have none. */
static const char *find_command(const struct job *job)
{
    if (job->command != NULL)
        return job->command;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].executable != NULL)
            return job->processes[i].executable;
    return "";
}

static void add_job(struct text_table *table, const struct job *job)
{
    const char *ranks = count_ranks(job);
    const char *age = describe_job_age(job);
    const char *command = arena_copy(find_command(job));
    char empty[] = "";
    const char *const cells[] = {job->id != NULL ? job->id : empty,     ranks, job->mpi != NULL ? job->mpi : empty,
                                 job->user != NULL ? job->user : empty, age,   command};
    text_table_add(table, cells, NULL);
}

/* Ranks on other hosts are none of this one's. */
static bool is_worth_a_line(const struct process *process)
{
    return process->pid > 0 || process->core != NULL || process->state == PROCESS_EXITED;
}

/* Reasons that are told of one job. */
enum { MOST_REASONS = 3 };

static void add_reason(struct text_table *table, const struct job *job, const char *reason)
{
    char unknown[] = "?";
    const char *const cells[] = {job->id != NULL ? job->id : unknown, reason};
    text_table_add(table, cells, "yellow");
}

static void add_unread(struct text_table *table, const struct job *job)
{
    static const struct rank_set all = {.count = 0};
    struct unread_list list = unread_list_make(job, &all, is_worth_a_line);
    size_t told = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct unread_ranks *unread = &list.items[i];
        if (unread->first == NULL || told++ >= MOST_REASONS)
            continue;
        const char *ranks = arena_text("%s %s", unread->count > 1 ? "ranks" : "rank", unread->ranks);
        if (has_only_stacks(unread->first))
            add_reason(table, job,
                       arena_text("%s: call stacks only: mpilens why %s", ranks, job->id != NULL ? job->id : ""));
        else
            add_reason(table, job,
                       arena_text("%s %s: %s", ranks, describe_state(unread->first->state), unread->first->reason));
    }
    if (told > MOST_REASONS)
        add_reason(table, job, "and other ranks: --verbose lists all");
}

static int tell_unread(FILE *stream, const struct job *jobs, size_t job_count, bool color)
{
    static const struct text_column columns[] = {{"PID", true, false}, {"REASON", false, false}};
    struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns, false, color);
    for (size_t i = 0; i < job_count; i++)
        add_unread(table, &jobs[i]);
    return text_table_finish(table, stream);
}

static int list_jobs(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options)
{
    static const struct text_column columns[] = {{"PID", true, false},  {"RANKS", true, false},
                                                 {"MPI", false, false}, {"USER", false, false},
                                                 {"AGE", true, false},  {"COMMAND", false, false}};
    struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns, true, options->color);
    for (size_t i = 0; i < job_count; i++)
        add_job(table, &jobs[i]);
    const int result = text_table_finish(table, stream);
    return result == 0 ? tell_unread(stream, jobs, job_count, options->color) : result;
}

int render_list_text(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options)
{
    const bool each_rank = options->verbose || options->ranks.count > 0;
    const int result =
        each_rank ? list_ranks(stream, jobs, job_count, options) : list_jobs(stream, jobs, job_count, options);
    return result == 0 ? finish_output(stream) : -1;
}
