/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes what the full-screen view shows out of two readings of a job.
 */
#include "top/top.h"

#include "analysis/stalls/stalls.h"
#include "monitor/monitor.h"
#include "render/text/render_text.h"
#include "text/text.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

/* More cannot be looked at. */
enum { MOST_ROWS = 1000, MOST_AWAITED = 20 };

static bool is_shown(const struct top_reading *reading, const struct process *process)
{
    return rank_is_chosen(reading->ranks, process->rank) &&
           (reading->host[0] == '\0' || (process->host != NULL && strstr(process->host, reading->host) != NULL));
}

static const struct process *find_before(const struct top_reading *reading, const struct process *process)
{
    const struct process *found = reading->before != NULL ? find_process(reading->before, process->rank) : NULL;
    return found != NULL && found->pid == process->pid ? found : NULL;
}

static struct top_row *add_row(struct top_rows *rows)
{
    rows->items = arena_append(rows->items, &rows->count, sizeof *rows->items);
    return &rows->items[rows->count - 1];
}

static int compare_rows(const void *left_row, const void *right_row)
{
    const struct top_row *left = left_row, *right = right_row;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return (left->first > right->first) - (left->first < right->first);
}

/* Puts the first ones first and leaves out the others. */
static void finish_rows(struct top_rows *rows, size_t most)
{
    if (rows->count > 0)
        qsort(rows->items, rows->count, sizeof *rows->items, compare_rows);
    if (rows->count > most) {
        rows->left_out += rows->count - most;
        rows->count = most;
    }
}

static void fill_calls(const struct top_reading *reading, const struct communicator_labels *labels,
                       struct top_facts *facts)
{
    struct activities activities = activities_of_nobody(false);
    for (size_t i = 0; i < reading->job->process_count; i++)
        if (is_shown(reading, &reading->job->processes[i]))
            render_text_add_process(&activities, &reading->job->processes[i], labels);
    activities_close(&activities);
    for (size_t i = 0; i < activities.count; i++) {
        const struct activity *activity = activities.items[i];
        const struct ranks *ranks = &activity->ranks->ranks;
        *add_row(&facts->calls) =
            (struct top_row){.ranks = arena_take(escaped_text(ranks_text(ranks))),
                             .text = arena_take(escaped_text(activity->text)),
                             .site = arena_take(escaped_text(activity->site != NULL ? activity->site : "")),
                             .count = ranks->count,
                             .first = ranks_first(ranks),
                             .age_s = activity->most_age_s};
    }
    finish_rows(&facts->calls, MOST_ROWS);
}

/* How many ranks wait for a process, and since when. */
struct waiters {
    uint64_t count;
    double age_s;
    bool waits; /* itself, for others */
};

/* Ranks that wait for the same share the list of these. */
struct list_waiters {
    const struct ranks *targets;
    struct waiters waiters;
};

static int compare_lists(const void *left, const void *right)
{
    const struct ranks *one = ((const struct list_waiters *)left)->targets;
    const struct ranks *other = ((const struct list_waiters *)right)->targets;
    return (one > other) - (one < other);
}

static void add_waiters(struct waiters *all, const struct waiters *more)
{
    all->count += more->count;
    all->age_s = more->age_s > all->age_s ? more->age_s : all->age_s;
}

/* An entry for each process. The caller frees it. */
static struct waiters *count_waiters(const struct job *job, const struct analysis *analysis)
{
    struct waiters *all = allocate((job->process_count + 1) * sizeof *all);
    struct list_waiters *lists = allocate((analysis->wait_count + 1) * sizeof *lists);
    size_t count = 0;
    for (size_t i = 0; i < analysis->wait_count; i++) {
        const struct rank_wait *wait = &analysis->waits[i];
        if (wait->targets == NULL)
            continue;
        lists[count++] = (struct list_waiters){wait->targets, {.count = 1, .age_s = wait->thread->age_s}};
        all[wait->process - job->processes].waits = true;
    }
    qsort(lists, count, sizeof *lists, compare_lists);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && lists[next].targets == lists[i].targets; next++)
            add_waiters(&lists[i].waiters, &lists[next].waiters);
        for (size_t j = 0; j < lists[i].targets->count; j++) {
            const struct process *process = find_process(job, lists[i].targets->items[j]);
            if (process != NULL)
                add_waiters(&all[process - job->processes], &lists[i].waiters);
        }
    }
    free(lists);
    return all;
}

/* Ranks for which others wait and which do the same. */
struct awaited {
    struct ranks ranks;
    uint64_t count;
    double age_s;
};

static const char *describe_awaited(const struct process *process, const struct communicator_labels *labels,
                                    const char **ret_site)
{
    *ret_site = "";
    if (process_was_seen(process)) {
        const struct seen_thread *seen = &process->seen_threads[next_seen_thread(process, -1)];
        *ret_site = describe_site(seen->site);
        return describe_seen_thread(seen);
    }
    for (size_t i = 0; i < process->thread_count && process->reason == NULL; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0') {
            *ret_site = describe_site(process->threads[i].site);
            return describe_call(process, &process->threads[i], labels);
        }
    return describe_without_call(process);
}

/* Those that wait for nobody hold up the others; where all wait, each other's. */
static void fill_awaited(const struct top_reading *reading, const struct analysis *analysis,
                         const struct communicator_labels *labels, struct top_facts *facts)
{
    const struct job *job = reading->job;
    struct waiters *all = count_waiters(job, analysis);
    bool holds_any = false;
    for (size_t i = 0; i < job->process_count; i++)
        holds_any = holds_any || (all[i].count > 0 && !all[i].waits);
    struct rank_texts texts = {.apart = false};
    struct awaited *awaited = NULL;
    size_t awaited_count = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        const char *site;
        if (all[i].count == 0 || (holds_any && all[i].waits) || !is_shown(reading, process))
            continue;
        const char *doing = describe_awaited(process, labels, &site);
        const char *count = arena_text("%llu", (unsigned long long)all[i].count);
        const size_t number = rank_texts_add_parts(&texts, (const char *const[]){doing, site, count}, 3);
        if (number >= awaited_count) {
            awaited = array_append(awaited, &awaited_count, sizeof *awaited);
            awaited[number] = (struct awaited){.count = all[i].count, .age_s = -1};
            struct top_row *row = add_row(&facts->awaited);
            *row = (struct top_row){.text = arena_take(escaped_text(doing)), .site = arena_take(escaped_text(site))};
        }
        ranks_add(&awaited[number].ranks, process->rank);
        if (all[i].age_s > awaited[number].age_s)
            awaited[number].age_s = all[i].age_s;
    }
    for (size_t i = 0; i < awaited_count; i++) {
        struct top_row *row = &facts->awaited.items[i];
        ranks_finish(&awaited[i].ranks);
        row->ranks = arena_take(escaped_text(ranks_text(&awaited[i].ranks)));
        row->first = ranks_first(&awaited[i].ranks);
        row->count = awaited[i].count;
        row->age_s = awaited[i].age_s;
    }
    free(awaited);
    free(all);
    finish_rows(&facts->awaited, MOST_AWAITED);
}

static void fill_characters(const struct top_reading *reading, const struct analysis *analysis, struct top_facts *facts)
{
    const struct job *job = reading->job;
    facts->characters = arena_allocate(job->process_count + 1);
    facts->blamed = arena_allocate(job->process_count + 1);
    facts->ranks = arena_allocate((job->process_count + 1) * sizeof *facts->ranks);
    struct ranks culprits = {.count = 0};
    for (size_t i = 0; i < analysis->findings.count; i++)
        ranks_add_all(&culprits, &analysis->findings.items[i].culprits);
    ranks_finish(&culprits);
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!is_shown(reading, process))
            continue;
        facts->characters[facts->rank_count] = watch_character(process, find_before(reading, process));
        facts->blamed[facts->rank_count] = ranks_has(&culprits, process->rank) ? '1' : '0';
        facts->ranks[facts->rank_count++] = process->rank;
    }
}

/* Whether it is unknown of some ranks that they stand still. */
static bool lacks_processor(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].lacked_processor_s > 0)
            return true;
    return false;
}

static void fill_verdict(const struct top_reading *reading, const struct analysis *analysis, struct top_facts *facts)
{
    const char *text;
    if (analysis->findings.count > 0) {
        const struct finding *first = &analysis->findings.items[0];
        const size_t more = analysis->findings.count - 1;
        facts->verdict_kind = TOP_FINDING;
        text = arena_text("%s: %s", finding_kind_name(first->kind), first->message);
        if (more > 0)
            text = arena_text("%s (and %zu more finding%s)", text, more, more > 1 ? "s" : "");
    } else if (!job_was_watched(reading->job)) {
        text = "no verdict yet: the job was read once";
    } else if (lacks_processor(reading->job)) {
        text = "no verdict: ranks waited for a processor; a longer --interval gives them time";
    } else {
        const bool was_seen = has_seen_ranks(reading->job);
        facts->verdict_kind = was_seen ? TOP_UNKNOWN : TOP_NOTHING_WRONG;
        text = arena_text("%s%s%s", was_seen ? "nothing can be said for certain" : "nothing wrong found",
                          analysis->remark != NULL ? ": " : "", analysis->remark != NULL ? analysis->remark : "");
    }
    facts->verdict = arena_take(escaped_text(text));
}

struct traffic {
    uint64_t sent, received, unreceived, collectives;
};

static void add_traffic(const struct process *process, struct traffic *traffic)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        traffic->unreceived += count_unreceived(communicator);
        traffic->collectives += communicator->collective_calls;
        for (size_t j = 0; j < communicator->channel_count; j++) {
            traffic->sent += communicator->channels[j].sent;
            traffic->received += communicator->channels[j].received;
        }
    }
}

/* "12", "3.4 k", "5.1 M". */
static const char *describe_number(double number)
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    size_t unit = 0;
    for (; number >= 9999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        number /= 1000;
    return arena_text("%.*f%s", unit > 0 && number < 99.95 ? 1 : 0, number, units[unit]);
}

/* Counts of a communicator that was freed meanwhile are lost. */
static const char *describe_rate(uint64_t before, uint64_t now, double interval_s)
{
    return describe_number(now > before ? (double)(now - before) / interval_s : 0);
}

static void fill_traffic(const struct top_reading *reading, struct top_facts *facts)
{
    struct traffic now = {0}, before = {0}, common = {0};
    size_t ranks = 0;
    for (size_t i = 0; i < reading->job->process_count; i++) {
        const struct process *process = &reading->job->processes[i];
        const struct process *earlier = find_before(reading, process);
        if (process->reason != NULL || !is_shown(reading, process))
            continue;
        add_traffic(process, &now);
        if (earlier == NULL)
            continue;
        add_traffic(process, &common);
        add_traffic(earlier, &before);
        ranks++;
    }
    FILE *text = arena_open();
    fprintf(text, "messages: ");
    if (ranks > 0 && reading->interval_s > 0)
        fprintf(text, "%s/s sent, %s/s received, ", describe_rate(before.sent, common.sent, reading->interval_s),
                describe_rate(before.received, common.received, reading->interval_s));
    fprintf(text, "%s in all, %s not received", describe_number((double)now.sent),
            describe_number((double)now.unreceived));
    if (ranks > 0 && reading->interval_s > 0)
        fprintf(text, "; collective calls: %s/s",
                describe_rate(before.collectives / ranks, common.collectives / ranks, reading->interval_s));
    facts->traffic = arena_take(escaped_text(arena_close(text)));
}

/* The program without its directory, which takes too much room. */
static const char *describe_job(const struct job *job)
{
    static const char before_path[] = ", /";
    FILE *stream = arena_open();
    render_header(stream, job, &(struct render_options){.color = false});
    const char *text = arena_close(stream);
    text = arena_text("%.*s", (int)strcspn(text, "\n"), text);
    const char *path = strstr(text, before_path);
    return path != NULL ? arena_text("%.*s%s", (int)(path + 2 - text), text, file_name(text)) : text;
}

struct top_facts top_facts_make(const struct top_reading *reading)
{
    struct top_facts facts = {.job = describe_job(reading->job),
                              .clock = arena_copy(reading->clock),
                              .host = arena_take(escaped_text(reading->host)),
                              .job_ranks = reading->job->process_count};
    const struct analysis_options options = analysis_default_options();
    struct analysis analysis;
    const char *remark = NULL;
    job_resolve_sites(reading->job);
    analyze(reading->job, &options, &analysis);
    ranks_apart_find(reading->job, options.patience_s, &analysis.findings, &remark);
    if (remark != NULL)
        analysis.remark = remark;
    struct communicator_labels labels = label_communicators(reading->job);
    fill_characters(reading, &analysis, &facts);
    fill_verdict(reading, &analysis, &facts);
    fill_awaited(reading, &analysis, &labels, &facts);
    fill_calls(reading, &labels, &facts);
    fill_traffic(reading, &facts);
    analysis_clear(&analysis);
    return facts;
}
