/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text of `show`: the job in one line, then what every rank is doing, equal ranks together.
 */

#include "base/base.h"
#include "render/text/render_text_internal.h"
#include "text/text.h"
#include "words/words.h"

#include <string.h>
#include <time.h>

/* Lines before "+ N more". */
enum { MOST_ACTIVITIES = 1000, MOST_IN_SHORT = 8, SHOWN_HINTS = 3 };

/* Those that threads handle, and the one that has ended the program. */
static void add_exceptions(struct activities *activities, const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->handling == NULL || thread->handling[0] == '\0')
            continue;
        const struct open_call handling = {.text = arena_text("while it handles %s", thread->handling)};
        activities_add(activities, process->rank, handling, "", -1, NULL);
    }
    const struct open_call end = {.text = process->ends != PROGRAM_RUNS ? arena_copy(process->end) : NULL};
    if (process->ends != PROGRAM_RUNS)
        activities_add(activities, process->rank, end, "", -1, NULL);
}

/* Adds the activities that its stacks show. */
static void add_seen(struct activities *activities, const struct process *process)
{
    for (int i = next_seen_thread(process, -1); i >= 0; i = next_seen_thread(process, i)) {
        const struct seen_thread *thread = &process->seen_threads[i];
        const struct open_call seen = {.text = describe_seen_thread(thread)};
        activities_add(activities, process->rank, seen, describe_site(thread->site), -1, NULL);
    }
    add_exceptions(activities, process);
}

void render_text_add_process(struct activities *activities, const struct process *process,
                             const struct communicator_labels *labels)
{
    if (process_was_seen(process)) {
        add_seen(activities, process);
        return;
    }
    if (process->reason != NULL) {
        const struct open_call unread = {.text = arena_text("not read: %s", process->reason)};
        activities_add(activities, process->rank, unread, "", -1, "yellow");
        return;
    }
    bool in_mpi = false;
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        in_mpi = true;
        activities_add(activities, process->rank, describe_open_calls(process, thread, labels),
                       describe_site(thread->site), thread->age_s, NULL);
    }
    const struct open_call outside = {.text = in_mpi ? NULL : describe_outside_briefly(process)};
    if (!in_mpi)
        activities_add(activities, process->rank, outside, arena_copy(process->place), -1, NULL);
    add_exceptions(activities, process);
}

static const char *describe_ages(const struct activity *activity)
{
    const char *most = describe_age(activity->most_age_s);
    const char *least = describe_age(activity->least_age_s);
    const bool alike = activity->most_age_s - activity->least_age_s < 1 + activity->most_age_s / 10;
    return alike || least[0] == '\0' ? arena_copy(most) : arena_text("%s to %s", least, most);
}

/* Ranks that have no process. */
static void add_absent(struct text_table *table, const struct job *job, const struct rank_set *wanted)
{
    struct rank_set absent = rank_set_keep_chosen(&job->absent, wanted);
    if (absent.count == 0)
        return;
    const char *numbers = format_rank_set(&absent);
    const char *ranks = arena_text("%s %s", rank_set_size(&absent) > 1 ? "ranks" : "rank", numbers);
    const char *text = arena_text("not read: %s", job->absent_reason);
    char empty[] = "";
    const char *const cells[] = {ranks, text, empty, empty};
    text_table_add(table, cells, "yellow");
    rank_set_clear(&absent);
}

static int render_activities(FILE *stream, const struct activities *activities, const struct job *job,
                             const struct render_options *options, size_t most)
{
    static const struct text_column columns[] = {
        {"RANK", false, false}, {"CALL", false, false}, {"AGE", true, false}, {"SITE", false, true}};
    struct text_table *table = text_table_create(columns, 4, false, options->color);
    const size_t shown = options->all || activities->count <= most ? activities->count : most;
    for (size_t i = 0; i < shown; i++) {
        const struct activity *activity = activities->items[i];
        const char *ranks = activity->ranks->ranks.count > 0 ? ranks_name(&activity->ranks->ranks) : "rank ?";
        const char *ages = describe_ages(activity);
        const char *const cells[] = {ranks, activity->text, ages, activity->site};
        text_table_add(table, cells, activity->color);
    }
    if (most == MOST_ACTIVITIES)
        add_absent(table, job, &options->ranks);
    const int result = text_table_finish(table, stream);
    if (shown < activities->count)
        print_line(stream,
                   most < MOST_ACTIVITIES
                       ? "+ %zu more calls: 'mpilens show' has them"
                       : "+ %zu more calls: --rank shows those of the ranks that you name, --all all",
                   activities->count - shown);
    return result;
}

static int render_calls(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                        const struct render_options *options, size_t most)
{
    struct activities activities = activities_of_nobody(options->all);
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (rank_is_chosen(&options->ranks, process->rank) && (process->reason == NULL || most == MOST_ACTIVITIES))
            render_text_add_process(&activities, process, labels);
    }
    activities_close(&activities);
    const int result = render_activities(stream, &activities, job, options, most);
    return result;
}

int render_calls_in_short(FILE *stream, const struct job *job, const struct render_options *options)
{
    struct communicator_labels labels = label_communicators(job);
    const int result = render_calls(stream, job, &labels, options, MOST_IN_SHORT);
    return result;
}

static void write_snapshot(FILE *stream, const struct job *job)
{
    const time_t taken = (time_t)job->snapshot_taken;
    struct tm when;
    char text[64];
    if (job->snapshot != NULL && localtime_r(&taken, &when) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &when) > 0)
        fprintf(stream, ", snapshot of %s", text);
}

static bool has_ended(const struct job *job)
{
    bool has_any = false;
    for (size_t i = 0; i < job->process_count; i++) {
        if (!job->processes[i].has_ended && job->processes[i].reason == NULL)
            return false;
        has_any = has_any || job->processes[i].has_ended;
    }
    return has_any;
}

static void write_header(FILE *stream, const struct job *job)
{
    if (job->part_count > 0)
        fprintf(stream, "job: read in %zu part%s", job->part_count, job->part_count == 1 ? "" : "s");
    else if (job->launcher_pid != 0)
        fprintf(stream, "job: %s pid %ld", job->launcher != NULL ? job->launcher : "launcher", (long)job->launcher_pid);
    else if (has_ended(job))
        fprintf(stream, "job: ended");
    else if (job->process_count == 1 && job->processes[0].core != NULL)
        fprintf(stream, "job: core %s", job->processes[0].core);
    else if (job->process_count > 0 && job->processes[0].core != NULL)
        fprintf(stream, "job: %zu cores", job->process_count);
    else
        fprintf(stream, "job: pid %s", job->id);
    const int size = job->size > 0 ? job->size : (int)job->process_count;
    fprintf(stream, ", %d rank%s", size, size == 1 ? "" : "s");
    if (job->mpi != NULL)
        fprintf(stream, ", %s", job->mpi);
    const struct process *typical = NULL;
    for (size_t i = 0; i < job->process_count && typical == NULL; i++)
        if (job->processes[i].reason == NULL && job->processes[i].executable != NULL)
            typical = &job->processes[i];
    if (typical != NULL)
        fprintf(stream, ", %s", typical->executable);
    write_snapshot(stream, job);
}

void render_header(FILE *stream, const struct job *job, const struct render_options *options)
{
    FILE *header = arena_open();
    write_header(header, job);
    const char *text = arena_close(header);
    print_colored_line(stream, options->color ? "\033[1m" : NULL, "%s", text);
}

/* Ranks with the same trouble are told together. */
static void render_box_problems(FILE *stream, const struct job *job, const struct render_options *options)
{
    const char *told = "";
    for (size_t i = 0; i < job->process_count; i++) {
        const char *problem = describe_box_problem(&job->processes[i]);
        struct ranks ranks = {.count = 0};
        if (problem == NULL || strcmp(problem, told) == 0 || !rank_is_chosen(&options->ranks, job->processes[i].rank))
            continue;
        for (size_t j = i; j < job->process_count; j++) {
            const char *other = describe_box_problem(&job->processes[j]);
            if (other != NULL && strcmp(other, problem) == 0)
                ranks_add(&ranks, job->processes[j].rank);
        }
        ranks_finish(&ranks);
        print_line(stream, "%s: %s", ranks_name(&ranks), problem);
        told = problem;
    }
}

static void render_warnings(FILE *stream, const struct job *job, const struct render_options *options)
{
    render_box_problems(stream, job, options);
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(&options->ranks, process->rank))
            continue;
        if (process->untracked_operations > 0 || process->untracked_objects > 0)
            print_line(stream,
                       "rank %d: %llu operations and %llu objects are not shown: the memory limit of the runtime was "
                       "reached",
                       process->rank, (unsigned long long)process->untracked_operations,
                       (unsigned long long)process->untracked_objects);
        if (process->torn_records > 0)
            print_line(stream, "rank %d: %llu records are not shown: they were being written", process->rank,
                       (unsigned long long)process->torn_records);
    }
}

void render_hints(FILE *stream, const struct job *job)
{
    for (size_t i = 0; i < job->sites.hint_count && i < SHOWN_HINTS; i++)
        print_line(stream, "no source lines: %s", job->sites.hints[i]);
    if (job->sites.hint_count > SHOWN_HINTS)
        print_line(stream, "no source lines of %zu more programs and libraries", job->sites.hint_count - SHOWN_HINTS);
}

int render_show_text(FILE *stream, const struct job *job, const struct render_options *options)
{
    struct communicator_labels labels = label_communicators(job);
    render_header(stream, job, options);
    int result = render_calls(stream, job, &labels, options, MOST_ACTIVITIES);
    render_seen_note(stream, job, &options->ranks);
    if (result == 0 && options->stack)
        result = render_stacks(stream, job, options);
    if (result == 0)
        result = render_queues(stream, job, &labels, options);
    if (result == 0)
        render_unexpected(stream, job, &options->ranks);
    if (result == 0)
        result = render_requests(stream, job, &labels, options);
    if (result == 0)
        result = render_collectives(stream, job, &labels, options);
    if (result == 0)
        result = render_objects(stream, job, options);
    render_warnings(stream, job, options);
    render_hints(stream, job);
    return result == 0 ? finish_output(stream) : -1;
}
