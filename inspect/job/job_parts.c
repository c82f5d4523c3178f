/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds parts to a job after checking that they are of it, and settles which process of each rank counts.
 */
#include "job/job.h"

#include "base/base.h"
#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>

/* Sentences about ranks that were read twice. */
enum { MOST_NOTES = 8 };

static const struct process *first_read(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason == NULL)
            return &job->processes[i];
    return NULL;
}

/* `part` gives its texts away. */
static struct job_part describe_part(struct job *job, const struct job *part, const char *name)
{
    const struct process *typical = first_read(part);
    const char *identity = part->identity != NULL ? part->identity : typical != NULL ? typical->job_identity : "";
    char *mpi = part->mpi != NULL ? copy_text(part->mpi)
                : typical != NULL ? short_library_version(typical->library_version)
                                  : NULL;
    struct job_part described = {
        .name = text_pool_add(&job->names, name),
        .identity = text_pool_add(&job->names, identity),
        .mpi = text_pool_add(&job->names, mpi != NULL ? mpi : ""),
        .runtime_version = typical != NULL ? typical->runtime_version : "",
        .size = part->size,
        .samples = part->samples,
        .taken = part->snapshot_taken,
        .is_saved = part->snapshot_taken > 0,
    };
    for (size_t i = 0; i < part->process_count; i++)
        if (part->processes[i].size > described.size)
            described.size = part->processes[i].size;
    free(mpi);
    return described;
}

/* Texts of a pool; not known contradicts nothing. */
static bool texts_differ(const char *left, const char *right)
{
    return left[0] != '\0' && right[0] != '\0' && strcmp(left, right) != 0;
}

/* 0, or -1 and what differs. */
static int compare_parts(const struct job_part *one, const struct job_part *other, struct reason *ret_reason)
{
    if (one->identity != other->identity && identities_differ(one->identity, other->identity))
        return reason_set(ret_reason, "%s is of the job '%s', but %s is of the job '%s': name parts of one job",
                          one->name, one->identity, other->name, other->identity);
    if (one->size > 0 && other->size > 0 && one->size != other->size)
        return reason_set(ret_reason, "%s is of a job of %d ranks, but %s is of one of %d: name parts of one job",
                          one->name, one->size, other->name, other->size);
    if (texts_differ(one->mpi, other->mpi))
        return reason_set(ret_reason, "%s is of a job of %s, but %s is of one of %s: name parts of one job", one->name,
                          one->mpi, other->name, other->mpi);
    if (texts_differ(one->runtime_version, other->runtime_version))
        return reason_set(ret_reason,
                          "the runtime in %s is of mpilens %s, but that in %s is of %s: what they have noted cannot be "
                          "compared",
                          one->name, one->runtime_version, other->name, other->runtime_version);
    return 0;
}

/* Compares what parts say; texts are of one pool. */
static bool says_the_same(const struct job_part *one, const struct job_part *other)
{
    return one->identity == other->identity && one->size == other->size && one->mpi == other->mpi &&
           strcmp(one->runtime_version, other->runtime_version) == 0;
}

static int check_part(const struct job *job, const struct job *part, const struct job_part *described,
                      struct reason *ret_reason)
{
    if (part->launch_problem != NULL)
        return reason_set(ret_reason, "%s is no part of a job: %s", described->name, part->launch_problem);
    for (size_t i = job->part_count; i > 0; i--)
        if (says_the_same(&job->parts[i - 1], described))
            return 0; /* as it contradicted none */
    for (size_t i = 0; i < job->part_count; i++)
        if (compare_parts(&job->parts[i], described, ret_reason) != 0)
            return -1;
    return 0;
}

static void take_text(char **text, char **from)
{
    if (*text != NULL)
        return;
    *text = *from;
    *from = NULL;
}

/* A pid means something on one host only. */
static void take_launcher(struct job *job, struct job *part)
{
    const bool is_same = job->launcher_pid == part->launcher_pid && job->launcher != NULL && part->launcher != NULL &&
                         strcmp(job->launcher, part->launcher) == 0;
    if (job->part_count == 1) {
        job->launcher_pid = part->launcher_pid;
        take_text(&job->launcher, &part->launcher);
    } else if (!is_same) {
        job->launcher_pid = 0;
        free(job->launcher);
        job->launcher = NULL;
    }
}

static void take_facts(struct job *job, struct job *part)
{
    const struct job_part *described = &job->parts[job->part_count - 1];
    take_text(&job->id, &part->id);
    take_text(&job->identity, &part->identity);
    take_text(&job->mpi, &part->mpi);
    take_text(&job->user, &part->user);
    take_text(&job->command, &part->command);
    take_text(&job->absent_reason, &part->absent_reason);
    take_launcher(job, part);
    job->started = job->started == 0 ? part->started : job->started;
    job->size = described->size > job->size ? described->size : job->size;
    if (job->part_count == 1 || part->interval_s < job->interval_s)
        job->interval_s = part->interval_s;
    for (size_t i = 0; i < part->absent.count; i++) { /* put in order later */
        job->absent.ranges = array_append(job->absent.ranges, &job->absent.count, sizeof *job->absent.ranges);
        job->absent.ranges[job->absent.count - 1] = part->absent.ranges[i];
    }
}

static void take_processes(struct job *job, struct job *part)
{
    for (size_t i = 0; i < part->process_count; i++) {
        job->processes = array_append(job->processes, &job->process_count, sizeof *job->processes);
        job->processes[job->process_count - 1] = part->processes[i];
        job->processes[job->process_count - 1].part = job->part_count;
    }
    free(part->processes);
    part->processes = NULL;
    part->process_count = 0;
}

int job_add_part(struct job *job, struct job *part, const char *name, struct reason *ret_reason)
{
    const struct job_part described = describe_part(job, part, name);
    const int result = check_part(job, part, &described, ret_reason);
    if (result == 0) {
        job->parts = array_append(job->parts, &job->part_count, sizeof *job->parts);
        job->parts[job->part_count - 1] = described;
        take_facts(job, part);
        take_processes(job, part);
    }
    job_clear(part);
    return result;
}

/* Ranks that were read in two parts, and the reason why one of them counts. */
struct repetition {
    size_t kept, left; /* parts */
    bool is_newer;     /* or only named later */
    struct ranks ranks;
};

struct repetitions {
    struct repetition *items;
    size_t count;
    size_t unsaid; /* processes of further ones */
};

static void note_repetition(struct repetitions *repetitions, size_t kept, size_t left, bool is_newer, int rank)
{
    for (size_t i = 0; i < repetitions->count; i++) {
        struct repetition *one = &repetitions->items[i];
        if (one->kept != kept || one->left != left || one->is_newer != is_newer)
            continue;
        ranks_add(&one->ranks, rank);
        return;
    }
    if (repetitions->count == MOST_NOTES) {
        repetitions->unsaid++;
        return;
    }
    repetitions->items = array_append(repetitions->items, &repetitions->count, sizeof *repetitions->items);
    struct repetition *added = &repetitions->items[repetitions->count - 1];
    *added = (struct repetition){.kept = kept, .left = left, .is_newer = is_newer};
    ranks_add(&added->ranks, rank);
}

static bool are_of_one_host(const struct process *left, const struct process *right)
{
    return left->host != NULL && right->host != NULL && strcmp(left->host, right->host) == 0;
}

static bool is_alive(const struct process *process)
{
    return process->core == NULL && !process->is_saved && process->target != NULL;
}

/* Whether both times are of one clock and tell which process was read later: less than 0: the left one. 0: no. */
static int compare_moments(const struct job *job, const struct process *left, const struct process *right)
{
    const int64_t left_taken = job->parts[left->part - 1].taken, right_taken = job->parts[right->part - 1].taken;
    if (is_alive(left) != is_alive(right))
        return is_alive(left) ? -1 : 1;
    if (left_taken == 0 || right_taken == 0 || left_taken == right_taken || !are_of_one_host(left, right))
        return 0;
    return left_taken > right_taken ? -1 : 1;
}

/* More is known of the one that was seen at all, then of the one that is said to have exited. */
static int knowledge(const struct process *process)
{
    return process->reason == NULL                     ? 3
           : process->state == PROCESS_EXITED          ? 2
           : process->pid > 0 || process->core != NULL ? 1
                                                       : 0;
}

/* Whether the second of two parts that have the same rank counts. */
static bool is_preferred(const struct job *job, const struct process *first, const struct process *second,
                         struct repetitions *repetitions)
{
    const int first_knows = knowledge(first), second_knows = knowledge(second);
    if (first_knows != second_knows)
        return second_knows > first_knows;
    if (first->reason != NULL)
        return false;
    const int order = compare_moments(job, first, second);
    const bool is_second = order > 0 || (order == 0 && second->part > first->part);
    const size_t kept = is_second ? second->part : first->part, left = is_second ? first->part : second->part;
    note_repetition(repetitions, kept, left, order != 0, first->rank);
    return is_second;
}

/* By rank, then in the order in which their parts were named. */
static int compare_processes(const void *left_process, const void *right_process)
{
    const struct process *left = left_process, *right = right_process;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    return left->pid < right->pid ? -1 : left->pid > right->pid;
}

static bool is_in_order(const struct job *job)
{
    for (size_t i = 1; i < job->process_count; i++)
        if (compare_processes(&job->processes[i - 1], &job->processes[i]) > 0)
            return false;
    return true;
}

/* Several processes of one part that have one rank are that part's affair. */
static void keep_one_of_each(struct job *job, struct repetitions *repetitions)
{
    size_t kept = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        struct process *before = kept > 0 ? &job->processes[kept - 1] : NULL;
        if (before == NULL || process->rank < 0 || before->rank != process->rank || before->part == process->part) {
            job->processes[kept++] = *process;
        } else if (is_preferred(job, before, process, repetitions)) {
            process_clear(before);
            *before = *process;
        } else {
            process_clear(process);
        }
    }
    job->process_count = kept;
}

static int compare_ranges(const void *left_range, const void *right_range)
{
    const struct rank_range *left = left_range, *right = right_range;
    return left->first < right->first ? -1 : left->first > right->first;
}

/* Leaves what no part has a process of. */
static void settle_absent(struct job *job)
{
    struct rank_set absent = {.count = 0};
    size_t next = 0;
    int rank = 0;
    if (job->absent.count > 1)
        qsort(job->absent.ranges, job->absent.count, sizeof *job->absent.ranges, compare_ranges);
    for (size_t i = 0; i < job->absent.count; i++) {
        const struct rank_range *range = &job->absent.ranges[i];
        for (rank = rank > range->first ? rank : range->first; rank <= range->last; rank++) {
            while (next < job->process_count && job->processes[next].rank < rank)
                next++;
            if (next == job->process_count || job->processes[next].rank != rank)
                rank_set_append(&absent, rank);
        }
    }
    rank_set_clear(&job->absent);
    job->absent = absent;
    if (absent.count > 0)
        return;
    free(job->absent_reason);
    job->absent_reason = NULL;
}

static void say_repetitions(struct job *job, struct repetitions *repetitions)
{
    for (size_t i = 0; i < repetitions->count; i++) {
        struct repetition *one = &repetitions->items[i];
        ranks_finish(&one->ranks);
        const bool several = one->ranks.count > 1;
        const char *ranks = ranks_name(&one->ranks);
        const char *kept = job->parts[one->kept - 1].name;
        job_add_note(job, format_text("%s %s read in %s and in %s: %s counts, which %s", ranks,
                                      several ? "were" : "was", job->parts[one->left - 1].name, kept, kept,
                                      one->is_newer ? "is newer" : "was named later"));
    }
    if (repetitions->unsaid > 0)
        job_add_note(job, format_text("%zu more ranks were read in several parts", repetitions->unsaid));
    free(repetitions->items);
}

static void count_ranks(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        job->parts[job->processes[i].part - 1].ranks += job->processes[i].reason == NULL;
}

/* Whether ranks of several parts count. */
static bool is_of_several(const struct job *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->part_count; i++)
        count += job->parts[i].ranks > 0;
    return count > 1;
}

int job_least_samples(const struct job *job)
{
    int samples = job->part_count > 0 ? job->parts[0].samples : 1;
    for (size_t i = 0; i < job->part_count; i++)
        if (job->parts[i].samples < samples)
            samples = job->parts[i].samples;
    return samples > 1 ? samples : 1;
}

void job_settle_parts(struct job *job, bool is_one_moment)
{
    struct repetitions repetitions = {0};
    if (!is_in_order(job))
        qsort(job->processes, job->process_count, sizeof *job->processes, compare_processes);
    keep_one_of_each(job, &repetitions);
    settle_absent(job);
    count_ranks(job);
    say_repetitions(job, &repetitions);
    if (!is_one_moment && is_of_several(job))
        job_add_note(
            job, copy_text("the parts were not read at one moment: what is said holds if no rank went on in between"));
}

void complete_parts(const struct dll *dll, struct job *job, enum collect_depth depth)
{
    const double interval_s = job->interval_s;
    complete_job(dll, job, depth);
    job->samples = job_least_samples(job);
    job->interval_s = job->samples > 1 ? interval_s : -1;
}
