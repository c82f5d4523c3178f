/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups processes into classes that do the same and wait for the same ranks.
 */
#include "render/graph/render_graph_internal.h"

#include "analysis/calls/calls.h"
#include "base/base.h"
#include "text/text.h"
#include "words/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t process_number(const struct job *job, int rank)
{
    const struct process *process = find_process(job, rank);
    return process != NULL ? (size_t)(process - job->processes) : job->process_count;
}

static void find_culprits(struct classes *classes)
{
    const struct findings *findings = &classes->analysis->findings;
    for (size_t i = 0; i < findings->count; i++)
        /* ranks that are elsewhere need not be the cause */
        for (size_t j = 0; findings->items[i].kind != FINDING_RANKS_APART && j < findings->items[i].culprits.count;
             j++) {
            const size_t number = process_number(classes->job, findings->items[i].culprits.items[j]);
            if (number < classes->job->process_count)
                classes->standings[number].role = PICTURE_CAUSE;
        }
}

/* The graph says that MPI may let them go on, which has not done so for long. */
static void find_stalled(struct classes *classes)
{
    const struct findings *findings = &classes->analysis->findings;
    for (size_t i = 0; i < findings->count; i++)
        for (size_t j = 0; findings->items[i].kind == FINDING_LIBRARY_STALL && j < findings->items[i].ranks.count;
             j++) {
            const size_t number = process_number(classes->job, findings->items[i].ranks.items[j]);
            if (number < classes->job->process_count && classes->standings[number].role > PICTURE_WAITS)
                classes->standings[number].role = PICTURE_WAITS;
        }
}

static enum picture_role role_of_wait(const struct rank_wait *wait)
{
    if (wait->dead)
        return wait->is_cause ? PICTURE_INVOLVED : PICTURE_CONSEQUENCE;
    return wait->targets != NULL ? PICTURE_WAITS : PICTURE_LIVE;
}

static enum picture_role role_of_process(const struct process *process)
{
    if (process->reason != NULL)
        return process_was_seen(process) ? PICTURE_SEEN : PICTURE_UNREAD;
    return process_is_gone(process) ? PICTURE_ENDED : PICTURE_LIVE;
}

static void find_standings(struct classes *classes)
{
    const struct job *job = classes->job;
    const struct analysis *analysis = classes->analysis;
    for (size_t i = 0; i < job->process_count; i++)
        classes->standings[i].role = role_of_process(&job->processes[i]);
    for (size_t i = 0; i < analysis->wait_count; i++) {
        const struct rank_wait *wait = &analysis->waits[i];
        struct standing *standing = &classes->standings[wait->process - job->processes];
        if (standing->wait_count++ == 0)
            standing->waits = wait;
        const enum picture_role role = role_of_wait(wait);
        standing->role = role < standing->role ? role : standing->role;
    }
    find_stalled(classes);
    find_culprits(classes);
}

/* A number that tells lists of ranks apart by what they contain. */
static uint64_t list_number(struct pointer_numbers *numbers, const struct ranks *list)
{
    if (list == NULL)
        return 0;
    int64_t *known = pointer_numbers_find(numbers, list);
    if (*known == 0) {
        uint64_t hash = 14695981039346656037U;
        for (size_t i = 0; i < list->count; i++)
            hash = (hash ^ (uint64_t)list->items[i]) * 1099511628211U;
        *known = (int64_t)(hash | 1);
    }
    return (uint64_t)*known;
}

/* Names of the application may have line ends. */
static void write_line(FILE *stream, const char *text)
{
    fprintf(stream, "%s\n", arena_take(valid_text(text)));
}

/* A line for each call and each of their places in turn. */
static const char *pattern_of(const struct classes *classes, size_t number, const struct communicator_labels *labels)
{
    const struct process *process = &classes->job->processes[number];
    FILE *stream = arena_open();
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        const char *call = describe_call_pattern(process, thread, labels);
        const char *site = describe_site(thread->site);
        write_line(stream, call);
        write_line(stream, site);
    }
    for (int i = next_seen_thread(process, -1); i >= 0; i = next_seen_thread(process, i)) {
        const char *seen = describe_seen_thread(&process->seen_threads[i]);
        const char *site = describe_site(process->seen_threads[i].site);
        write_line(stream, seen);
        write_line(stream, site);
    }
    if (ftell(stream) == 0) {
        const char *outside = describe_without_call(process);
        write_line(stream, outside);
    }
    return arena_close(stream);
}

/* The number of the text, which is taken. */
static size_t number_of(struct rank_texts *texts, const char *text)
{
    const size_t number = rank_texts_add(texts, text);
    return number;
}

static const char *key_of(const struct standing *standing, size_t sort, struct pointer_numbers *lists)
{
    FILE *stream = arena_open();
    fprintf(stream, "%zu", sort);
    for (size_t i = 0; i < standing->wait_count; i++)
        fprintf(stream, " %d %" PRIx64 " %zu", (int)standing->waits[i].mode,
                list_number(lists, standing->waits[i].targets),
                standing->waits[i].targets != NULL ? standing->waits[i].targets->count : 0);
    return arena_close(stream);
}

struct classes classes_make(const struct job *job, const struct analysis *analysis,
                            const struct communicator_labels *labels)
{
    struct classes classes = {
        .job = job,
        .analysis = analysis,
        .standings = arena_allocate((job->process_count + 1) * sizeof *classes.standings),
        .items = arena_allocate((job->process_count + 1) * sizeof *classes.items),
    };
    struct pointer_numbers lists = {.count = 0};
    struct rank_texts sorts = {.count = 0}, keys = {.count = 0};
    find_standings(&classes);
    for (size_t i = 0; i < job->process_count; i++) {
        struct standing *standing = &classes.standings[i];
        const char *pattern = pattern_of(&classes, i, labels);
        const size_t sort = number_of(&sorts, arena_text("%d %s", (int)standing->role, pattern));
        standing->class = number_of(&keys, key_of(standing, sort, &lists));
        if (standing->class == classes.count) {
            classes.items[classes.count++] = (struct picture_class){
                .role = standing->role, .pattern = arena_copy(pattern), .sort = sort, .first = i};
        }
        struct picture_class *class = &classes.items[standing->class];
        class->members = arena_append(class->members, &class->member_count, sizeof *class->members);
        class->members[class->member_count - 1] = i;
    }
    classes.sort_count = sorts.count;
    pointer_numbers_clear(&lists);
    return classes;
}
