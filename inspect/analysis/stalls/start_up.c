/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells of ranks that stand still in MPI_Init. That a process has not called MPI yet is known without any table of its
 * runtime.
 */

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/stalls/stalls_internal.h"
#include "base/base.h"
#include "stack/stack.h"

#include <string.h>

/* Shorter stays in MPI_Init are of no interest: that takes its time. */
static const double least_age_s = 5;

const struct thread *find_initializing(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0' &&
            process->threads[i].purpose == MPILENS_PURPOSE_INITIALIZE)
            return &process->threads[i];
    return NULL;
}

/* The ranks of a job by how far they have come. */
struct start_up {
    struct ranks inside, missing, through;
    double quiet_s;    /* since one of them came to MPI_Init, or was started; -1: not known */
    bool stands_still; /* those inside do */
    bool is_known;     /* of all others how far they have come */
    bool has_exited;   /* one of them */
};

static void note_age(struct start_up *start_up, double age_s)
{
    if (age_s >= 0 && (start_up->quiet_s < 0 || age_s < start_up->quiet_s))
        start_up->quiet_s = age_s;
}

static void look_at(const struct process *process, struct start_up *start_up)
{
    const struct thread *thread = process->reason == NULL ? find_initializing(process) : NULL;
    if (thread != NULL) {
        ranks_add(&start_up->inside, process->rank);
        start_up->stands_still = start_up->stands_still && thread_is_blocked(thread);
        note_age(start_up, thread->age_s);
    } else if (process->is_before_mpi || (process->reason == NULL && process->state == PROCESS_INITIALIZING)) {
        ranks_add(&start_up->missing, process->rank);
        note_age(start_up, process->age_s);
    } else if (process->state == PROCESS_EXITED) {
        start_up->has_exited = true;
    } else if (process->reason == NULL) {
        ranks_add(&start_up->through, process->rank);
    } else {
        start_up->is_known = false;
    }
}

static struct start_up find(const struct job *job)
{
    struct start_up start_up = {.quiet_s = -1, .stands_still = true, .is_known = job->absent.count == 0};
    for (size_t i = 0; i < job->process_count; i++)
        look_at(&job->processes[i], &start_up);
    ranks_finish(&start_up.inside);
    ranks_finish(&start_up.missing);
    ranks_finish(&start_up.through);
    return start_up;
}

/* "process 4711 has not called MPI yet: sleeping in main (a.c:10)". */
static const char *describe_missing(const struct process *process)
{
    const char *reason = process->reason != NULL ? process->reason : "it has not called MPI_Init yet";
    const char *activity = process->state == PROCESS_EXITED ? "" : describe_activity(process->activity);
    const char *place = process->place;
    if (activity[0] == '\0' && place[0] == '\0')
        return arena_copy(reason);
    return arena_text("%s: %s%s%s", reason, activity, activity[0] != '\0' && place[0] != '\0' ? " in " : "", place);
}

/* Tells the first of several in full. */
static void write_missing(FILE *stream, const struct cause_text *text, const struct ranks *missing)
{
    const char *names = ranks_name(missing);
    const struct process *first = job_index_process(&text->waits->index, missing->items[0]);
    const char *doing = first != NULL ? describe_missing(first) : "it could not be read";
    if (missing->count == 1)
        fprintf(stream, "; %s has not come to it: %s", names, doing);
    else
        fprintf(stream, "; %s have not come to it: of rank %d, %s", names, missing->items[0], doing);
}

/* The first of the ranks that is in MPI_Init; NULL: none is. */
static const struct process *find_first_inside(const struct cause_text *text, const struct ranks *inside,
                                               const struct thread **ret_thread, double *ret_age_s)
{
    const struct process *first = NULL;
    *ret_age_s = -1;
    for (size_t i = 0; i < inside->count; i++) {
        const struct process *process = job_index_process(&text->waits->index, inside->items[i]);
        const struct thread *thread = process != NULL ? find_initializing(process) : NULL;
        if (thread == NULL)
            continue;
        if (first == NULL) {
            first = process;
            *ret_thread = thread;
        }
        if (thread->age_s > *ret_age_s)
            *ret_age_s = thread->age_s;
    }
    return first;
}

void start_up_write(FILE *stream, const struct cause_text *text, const struct ranks *inside,
                    const struct ranks *missing)
{
    const struct thread *thread = NULL;
    double age_s;
    const struct process *first = find_first_inside(text, inside, &thread, &age_s);
    const char *names = ranks_name(inside);
    const char *age = describe_age(age_s);
    const char *at = first != NULL ? describe_at(thread->site) : "";
    fprintf(stream, "%s %s been in %s%s%s%s", names, inside->count == 1 ? "has" : "have",
            first != NULL ? thread->function : "the initialization of MPI", at, age[0] != '\0' ? " for " : "", age);
    if (missing->count > 0)
        write_missing(stream, text, missing);
}

static void write_through(FILE *stream, const struct ranks *through)
{
    const char *names = ranks_name(through);
    if (through->count > 0)
        fprintf(stream, "; %s %s come out of it", names, through->count == 1 ? "has" : "have");
    else
        fputs("; all have come to it, and none has come out", stream);
}

/* The ranks inside that wait for something else than others, and what the first of them waits for; false: none does. */
static bool find_cause(const struct cause_text *text, const struct ranks *inside, struct ranks *ret_ranks,
                       struct start_up_cause *ret_cause)
{
    struct ranks found = {0};
    for (size_t i = 0; i < inside->count; i++) {
        const struct process *process = job_index_process(&text->waits->index, inside->items[i]);
        const struct thread *thread = process != NULL ? find_initializing(process) : NULL;
        struct start_up_cause cause;
        if (thread == NULL || !start_up_cause_find(process, thread->tid, &cause))
            continue;
        if (found.count == 0)
            *ret_cause = cause;
        ranks_add(&found, process->rank);
    }
    ranks_finish(&found);
    *ret_ranks = found;
    return found.count > 0;
}

static const char *describe(const struct cause_text *text, const struct start_up *start_up)
{
    struct ranks kept;
    struct start_up_cause cause = {.text = NULL};
    FILE *stream = arena_open();
    start_up_write(stream, text, &start_up->inside, &start_up->missing);
    if (start_up->missing.count == 0)
        write_through(stream, &start_up->through);
    if (find_cause(text, &start_up->inside, &kept, &cause)) {
        start_up_cause_write(stream, &kept, &cause);
    }
    return arena_close(stream);
}

static void add_missing(const struct process *process, struct finding *finding)
{
    evidence_add_stack(&finding->evidence, process->rank, describe_missing(process), arena_copy(process->stack),
                       place_of_main_thread(process), process->age_s);
}

/* Adds, for a process in MPI_Init, the functions of the library that it is in, and what the kernel tells of it. */
static void add_inside(const struct process *process, const struct thread *thread, struct finding *finding)
{
    const struct call_stack *stack = find_call_stack(process, thread->tid);
    if (stack != NULL && stack->inside != NULL && stack->inside[0] != '\0')
        evidence_add_text(&finding->evidence, process->rank, arena_text("inside MPI: %s", stack->inside));
    if (process->kernel != NULL)
        add_kernel_evidence(process, finding);
    add_manager_evidence(process, finding);
}

static void add_evidence(const struct cause_text *text, struct finding *finding)
{
    for (size_t i = 0; i < finding->culprits.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->culprits.items[i]);
        if (process != NULL && find_initializing(process) == NULL)
            add_missing(process, finding);
    }
    for (size_t i = 0; i < finding->ranks.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->ranks.items[i]);
        if (process == NULL || find_initializing(process) == NULL)
            continue;
        add_process_evidence(text, process, finding);
        add_inside(process, find_initializing(process), finding);
    }
}

static void add_finding(const struct cause_text *text, const struct start_up *start_up, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_START_UP);
    ranks_add_all(&finding->ranks, &start_up->inside);
    ranks_add_all(&finding->ranks, &start_up->missing);
    struct ranks kept;
    struct start_up_cause cause = {.text = NULL};
    const bool has_cause = find_cause(text, &start_up->inside, &kept, &cause);
    ranks_add_all(&finding->culprits, &start_up->missing);
    ranks_add_all(&finding->culprits, &kept);
    if (finding->culprits.count == 0)
        ranks_add_all(&finding->culprits, &start_up->inside);
    if (has_cause) {
        finding->remedy = arena_copy(start_up_cause_remedy(cause.kind));
    }
    finding_finish(finding);
    finding->message = describe(text, start_up);
    add_evidence(text, finding);
    finding->confirmed = job_was_watched(text->waits->job);
}

/* The sentence before the patience is over. */
static const char *describe_for_now(const struct cause_text *text, const struct start_up *start_up, double left_s)
{
    const char *sentence = describe(text, start_up);
    const char *left = describe_age(left_s);
    return arena_text("%s; if nothing changes, this is a finding in %s (--patience)", sentence, left);
}

void start_up_find(const struct cause_text *text, struct findings *findings, const char **remark)
{
    const double patience_s = text->waits->options->patience_s;
    struct start_up start_up = find(text->waits->job);
    const bool is_told = start_up.inside.count > 0 && start_up.stands_still && start_up.is_known &&
                         !start_up.has_exited && start_up.quiet_s >= 0;
    if (is_told && start_up.quiet_s > patience_s) {
        add_finding(text, &start_up, findings);
        *remark = NULL;
    } else if (is_told && (start_up.missing.count > 0 || start_up.quiet_s >= least_age_s)) {
        *remark = describe_for_now(text, &start_up, patience_s - start_up.quiet_s);
    }
}
