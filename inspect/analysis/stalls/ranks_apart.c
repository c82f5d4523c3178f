/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups ranks by what they do, whether tables or only stacks tell it.
 */

#include "analysis/causes/causes.h"
#include "analysis/stalls/stalls_internal.h"
#include "base/base.h"
#include "stack/stack.h"
#include "words/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Groups that a sentence names. */
enum { MOST_NAMED = 4 };

/* Ranks that do the same at the same place. */
struct group_of_ranks {
    struct ranks ranks;
    const char *text; /* "in MPI_Recv", "not in MPI: computing", "exited" */
    const char
        *where; /* " at a.c:7 main", " after an uncaught exception has ended its Python program"; "": not known */
    bool is_in_mpi;
    bool is_sentence;  /* the text is one of its own */
    bool is_predicate; /* the text has its verb: "has exited", "sleeps in the kernel" */
    size_t processes;  /* of which the rank may not be known */
};

struct grouping {
    const struct job *job;
    struct rank_texts texts;
    struct group_of_ranks *items;
    size_t count;
    size_t seen;      /* processes of which only stacks tell */
    size_t changed;   /* processes that were seen doing something else before */
    size_t outside;   /* living processes that are not in MPI, and may be on their way there */
    size_t gone;      /* processes that do nothing more by themselves: ended, stopped, out of a core file */
    size_t moved;     /* processes that have exchanged something since */
    size_t stopped;   /* processes that a signal or a debugger has stopped */
    bool is_start_up; /* all that are in MPI are in MPI_Init */
};

/* Takes the texts. */
static struct group_of_ranks *add(struct grouping *grouping, const struct process *process, const char *text,
                                  const char *where, bool is_in_mpi)
{
    const char *const parts[] = {text, where};
    const size_t number = rank_texts_add_parts(&grouping->texts, parts, 2);
    if (number == grouping->count) {
        grouping->items = arena_append(grouping->items, &grouping->count, sizeof *grouping->items);
        grouping->items[number] = (struct group_of_ranks){.text = text, .where = where, .is_in_mpi = is_in_mpi};
    }
    ranks_add(&grouping->items[number].ranks, process->rank);
    grouping->items[number].processes++;
    return &grouping->items[number];
}

static const char *describe_seen_doing(const struct seen_thread *thread)
{
    if (thread->function[0] == '\0')
        return describe_seen_thread(thread);
    return arena_text("in %s%s", thread->function, thread->activity == ACTIVITY_STOPPED ? ", stopped," : "");
}

/* Its place, and how its program ends. */
static const char *describe_where(const struct process *process, const struct site *place)
{
    const char *site = describe_site(place);
    const bool ends = process->ends != PROGRAM_RUNS;
    return arena_text("%s%s%s%s", site[0] != '\0' ? " at " : "", site, ends ? " " : "", ends ? process->end : "");
}

/* A process that is dead, stopped or about to end will not go on to MPI. */
static bool may_come(const struct process *process, enum process_activity activity)
{
    return process->core == NULL && process->ends == PROGRAM_RUNS && activity != ACTIVITY_STOPPED &&
           activity != ACTIVITY_ENDED;
}

static bool computes_beside(const struct process *process, const struct seen_thread *thread)
{
    for (size_t i = 0; i < process->seen_thread_count; i++) {
        const struct seen_thread *other = &process->seen_threads[i];
        if (other != thread && other->function[0] == '\0' && other->activity == ACTIVITY_COMPUTING)
            return true;
    }
    return false;
}

/* `thread`: the one that tells what the process does. Another one, or what it runs within MPI, may be what others wait
 * for. */
static bool is_on_its_way(const struct process *process, const struct seen_thread *thread)
{
    return may_come(process, thread->activity) &&
           (thread->function[0] == '\0' || thread->is_called_back || computes_beside(process, thread));
}

/* By its first thread that is in MPI, or its main thread. */
static void add_seen(struct grouping *grouping, const struct process *process)
{
    const int number = next_seen_thread(process, -1);
    if (number < 0)
        return;
    const struct seen_thread *thread = &process->seen_threads[number];
    grouping->seen++;
    grouping->gone += !may_come(process, thread->activity);
    grouping->stopped += thread->activity == ACTIVITY_STOPPED;
    grouping->changed += grouping->job->samples > 1 && !thread->unchanged;
    grouping->outside += is_on_its_way(process, thread);
    grouping->moved +=
        process->kernel != NULL && (process->kernel->shared_memory_changed || process->kernel->sent_meanwhile > 0 ||
                                    process->kernel->received_meanwhile > 0);
    add(grouping, process, describe_seen_doing(thread), describe_where(process, thread->site),
        thread->function[0] != '\0');
}

/* Adds a process whose runtime tells it. */
static void add_read(struct grouping *grouping, const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        grouping->changed += grouping->job->samples > 1 && !thread->stalled;
        add(grouping, process, arena_text("in %s", thread->function),
            describe_where(process, thread->python_site != NULL ? thread->python_site : thread->site), true);
        return;
    }
    grouping->outside += process->state == PROCESS_RUNNING && may_come(process, process->activity);
    add(grouping, process, describe_without_call(process), "", false);
}

/* For a process whose stacks could not be read: its hindrance according to the kernel; else it may do anything. */
static void add_unseen(struct grouping *grouping, const struct process *process)
{
    const char *hindrance = process->lacks_tables ? describe_hindrance(process) : NULL;
    if (hindrance == NULL) {
        grouping->outside++;
        return;
    }
    grouping->gone++;
    grouping->stopped++;
    add(grouping, process, hindrance, "", false)->is_predicate = true;
}

static void add_exited(struct grouping *grouping, const struct process *process)
{
    grouping->gone++;
    if (grouping->is_start_up)
        add(grouping, process, arena_copy(process->reason), "", false)->is_sentence = true;
    else
        add(grouping, process, "has exited", "", false)->is_predicate = true;
}

static const char *describe_before_mpi(const struct process *process)
{
    return arena_text("%s%s", process->place[0] != '\0' ? " at " : "", process->place);
}

/* Adds a process without MPI in it so far: nobody gets through MPI_Init without it. Each has its own reason. */
static void add_before_mpi(struct grouping *grouping, const struct process *process)
{
    grouping->outside += may_come(process, (enum process_activity)process->activity);
    add(grouping, process, arena_copy(process->reason), describe_before_mpi(process), false)->is_sentence = true;
}

static struct grouping group_ranks(const struct job *job)
{
    struct grouping grouping = {.job = job, .is_start_up = seen_start_up_is(job)};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process_was_seen(process))
            add_seen(&grouping, process);
        else if (process->reason == NULL)
            add_read(&grouping, process);
        else if (process->is_before_mpi && grouping.is_start_up)
            add_before_mpi(&grouping, process);
        else if (process->state == PROCESS_EXITED)
            add_exited(&grouping, process);
        else
            add_unseen(&grouping, process);
    }
    for (size_t i = 0; i < grouping.count; i++)
        ranks_finish(&grouping.items[i].ranks);
    return grouping;
}

/* The smallest first, which is the odd one; then by rank. */
static int compare_groups(const void *left_group, const void *right_group)
{
    const struct group_of_ranks *left = left_group, *right = right_group;
    if (left->processes != right->processes)
        return left->processes < right->processes ? -1 : 1;
    return ranks_first(&left->ranks) - ranks_first(&right->ranks);
}

static void write_group(FILE *stream, const struct group_of_ranks *group)
{
    const char *name = group->ranks.count > 0
                           ? ranks_name(&group->ranks)
                           : arena_text("%zu process%s", group->processes, group->processes > 1 ? "es" : "");
    fprintf(stream, "%s%s%s%s", name,
            group->is_sentence                                            ? ": "
            : group->is_predicate || strncmp(group->text, "has ", 4) == 0 ? " "
            : group->processes > 1                                        ? " are "
                                                                          : " is ",
            group->text, group->where);
}

static const char *describe_groups(const struct grouping *grouping)
{
    FILE *stream = arena_open();
    for (size_t i = 0; i < grouping->count && i < MOST_NAMED; i++) {
        fputs(i > 0 ? "; " : "", stream);
        write_group(stream, &grouping->items[i]);
    }
    if (grouping->count > MOST_NAMED)
        fprintf(stream, "; and so on at %zu more places", grouping->count - MOST_NAMED);
    return arena_close(stream);
}

static bool has_in_mpi(const struct grouping *grouping)
{
    for (size_t i = 0; i < grouping->count; i++)
        if (grouping->items[i].is_in_mpi)
            return true;
    return false;
}

/* Age of the process that was started last; -1: not known. */
static double least_age(const struct job *job)
{
    double age_s = -1;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].age_s >= 0 && (age_s < 0 || job->processes[i].age_s < age_s))
            age_s = job->processes[i].age_s;
    return age_s;
}

/* Or sleeps in the kernel, where nobody reads its stack. */
static bool is_stopped(const struct process *process)
{
    const int number = process_was_seen(process) ? next_seen_thread(process, -1) : -1;
    if (number >= 0)
        return process->seen_threads[number].activity == ACTIVITY_STOPPED;
    const char *hindrance = process->lacks_tables ? describe_hindrance(process) : NULL;
    const bool is_hindered = hindrance != NULL;
    return is_hindered;
}

static void add_stopped(const struct job *job, struct ranks *ranks)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (is_stopped(&job->processes[i]))
            ranks_add(ranks, job->processes[i].rank);
}

/* Adds stopped processes; else the ones that differ from most; without a majority, none is odd. */
static void add_culprits(const struct grouping *grouping, struct finding *finding)
{
    size_t processes = 0;
    add_stopped(grouping->job, &finding->culprits);
    if (grouping->stopped > 0)
        return;
    for (size_t i = 0; i < grouping->count; i++)
        processes += grouping->items[i].processes;
    if (2 * grouping->items[grouping->count - 1].processes <= processes)
        return;
    for (size_t i = 0; i + 1 < grouping->count; i++)
        ranks_add_all(&finding->culprits, &grouping->items[i].ranks);
}

static void add_evidence(const struct job *job, struct finding *finding)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        for (int j = next_seen_thread(process, -1); process_was_seen(process) && j >= 0;
             j = next_seen_thread(process, j)) {
            const struct seen_thread *thread = &process->seen_threads[j];
            const char *text = describe_seen_thread(thread);
            evidence_add(&finding->evidence, process->rank, 0,
                         thread->function[0] != '\0' ? arena_text("in %s", text) : arena_copy(text),
                         evidence_place_of_seen(thread), -1);
        }
        seen_start_up_add_evidence(process, finding);
        if (process->kernel != NULL && process->lacks_tables)
            add_kernel_evidence(process, finding);
        if (process->ends != PROGRAM_RUNS && process_was_seen(process))
            evidence_add_text(&finding->evidence, process->rank, arena_copy(process->end));
    }
}

/* "let rank 1 go on: kill -CONT 4711, or the debugger that has stopped it"; NULL: nobody is stopped. */
static const char *advise_on_stopped(const struct job *job)
{
    const struct process *first = NULL;
    for (size_t i = 0; i < job->process_count && first == NULL; i++)
        first = is_stopped(&job->processes[i]) ? &job->processes[i] : NULL;
    if (first == NULL)
        return NULL;
    if (first->kernel != NULL && first->kernel->frozen)
        return arena_text("find out who has frozen the control group of rank %d, and thaw it", first->rank);
    if (!process_was_seen(first) && describe_standstill(first) == NULL)
        return arena_text("check dmesg on rank %d's host: it is stuck in an uninterruptible wait", first->rank);
    struct ranks stopped = {0};
    add_stopped(job, &stopped);
    ranks_finish(&stopped);
    const char *names = ranks_name(&stopped);
    const char *remedy =
        arena_text("let %s go on: kill -CONT %ld%s, or the debugger that has stopped %s", names, (long)first->pid,
                   stopped.count > 1 ? " and the others" : "", stopped.count > 1 ? "them" : "it");
    return remedy;
}

/* If an exception has ended a Python program, that is to be fixed first, whatever else does not fit. */
static const char *advise(const struct job *job)
{
    const char *stopped = advise_on_stopped(job);
    if (stopped != NULL)
        return stopped;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].ends == PROGRAM_FAILED && job->processes[i].rank >= 0)
            return advise_on_exception(&job->processes[i]);
    const char *preparation = describe_preparation(job);
    const char *remedy =
        arena_text("check that these calls match; without the runtime mpilens cannot see messages; %s", preparation);
    return remedy;
}

static void tell(const struct grouping *grouping, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_RANKS_APART);
    const char *groups = describe_groups(grouping);
    finding->message = arena_text("%s%s", groups, grouping->job->samples < 2 ? " (read only once)" : "");
    finding->remedy = advise(grouping->job);
    for (size_t i = 0; i < grouping->count; i++)
        ranks_add_all(&finding->ranks, &grouping->items[i].ranks);
    add_culprits(grouping, finding);
    add_evidence(grouping->job, finding);
    finding_finish(finding);
}

/* The ranks, their longest wait, and the reason why ranks in MPI_Init wait. */
static const char *describe_start(const struct grouping *grouping, struct ranks *kept, const char **ret_remedy)
{
    const char *groups = describe_groups(grouping);
    const char *age = describe_age(least_age(grouping->job));
    const char *cause = seen_start_up_describe_cause(grouping->job, kept, ret_remedy);
    const char *text = arena_text("%s%s%s%s%s", groups, age[0] != '\0' ? "; the last process was started " : "", age,
                                  age[0] != '\0' ? " ago" : "", cause != NULL ? cause : "");
    return text;
}

static void tell_start(const struct grouping *grouping, struct findings *findings)
{
    struct finding *finding = findings_add(findings, FINDING_START_UP);
    const char *remedy = NULL;
    const char *preparation = describe_preparation(grouping->job);
    finding->message = describe_start(grouping, &finding->culprits, &remedy);
    finding->remedy = arena_text("%s%s%s, which tells since when they are there", remedy != NULL ? remedy : "",
                                 remedy != NULL ? "; " : "", preparation);
    for (size_t i = 0; i < grouping->count; i++) {
        ranks_add_all(&finding->ranks, &grouping->items[i].ranks);
        if (!grouping->items[i].is_in_mpi)
            ranks_add_all(&finding->culprits, &grouping->items[i].ranks);
    }
    add_evidence(grouping->job, finding);
    finding_finish(finding);
}

/* Whether the job was watched for longer than one that is right may stay so. */
static bool was_watched(const struct grouping *grouping, double patience_s)
{
    return grouping->job->samples > 1 && grouping->job->interval_s >= patience_s;
}

/* Whether it is known that those outside MPI have been there for longer than a job that is right may leave them. */
static bool is_long_enough(const struct grouping *grouping, double patience_s)
{
    return grouping->outside == 0 || grouping->stopped > 0 || was_watched(grouping, patience_s);
}

/* MPI_Init takes its time; it never returns where one of those that it waits for does nothing more. */
static bool is_hung_start(const struct grouping *grouping, double patience_s)
{
    return was_watched(grouping, patience_s) || (grouping->outside == 0 && grouping->gone > 0);
}

static const char *describe_caution(const struct grouping *grouping, double patience_s)
{
    if (grouping->changed > 0)
        return "; they were elsewhere when they were looked at before";
    if (has_in_mpi(grouping) && grouping->moved > 0)
        return "; messages have moved since they were looked at before";
    return has_in_mpi(grouping) && (grouping->is_start_up || !is_long_enough(grouping, patience_s))
               ? arena_text("; since when is not known without the runtime: --interval %g watches whether it stays so",
                            patience_s)
               : "";
}

static const char *describe_remark(const struct grouping *grouping, double patience_s)
{
    struct ranks kept = {0};
    const char *remedy;
    const char *remark =
        arena_text("%s%s", grouping->is_start_up ? describe_start(grouping, &kept, &remedy) : describe_groups(grouping),
                   describe_caution(grouping, patience_s));
    return remark;
}

void ranks_apart_find(const struct job *job, double patience_s, struct findings *findings, const char **ret_remark)
{
    struct grouping grouping = group_ranks(job);
    if (grouping.count > 1)
        qsort(grouping.items, grouping.count, sizeof *grouping.items, compare_groups);
    const bool stands_still =
        grouping.seen > 0 && grouping.changed == 0 && grouping.moved == 0 && has_in_mpi(&grouping);
    if (stands_still && grouping.is_start_up && is_hung_start(&grouping, patience_s))
        tell_start(&grouping, findings);
    else if (stands_still && !grouping.is_start_up && (grouping.count > 1 || grouping.stopped > 0) &&
             is_long_enough(&grouping, patience_s))
        tell(&grouping, findings);
    else if (grouping.seen > 0)
        *ret_remark = describe_remark(&grouping, patience_s);
}
