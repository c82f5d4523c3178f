/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds what belongs together in a job, sorts its processes, and gives it back.
 */
#include "model/model.h"

#include "base/base.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *short_library_version(const char *library_version)
{
    char version[64];
    const char *text = strstr(library_version, "Open MPI v");
    if (text != NULL && sscanf(text, "Open MPI v%63[^, \t\n]", version) == 1)
        return format_text("Open MPI %s", version);
    if (strncmp(library_version, "MPICH", 5) == 0 && (text = strchr(library_version, ':')) != NULL &&
        sscanf(text, ": %63[^ \t\n]", version) == 1)
        return format_text("MPICH %s", version);
    const size_t line = strcspn(library_version, "\r\n\t");
    return line > 0 ? format_text("%.*s", (int)line, library_version) : NULL;
}

static int compare_processes(const void *left_process, const void *right_process)
{
    const struct process *left = left_process;
    const struct process *right = right_process;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->pid < right->pid ? -1 : left->pid > right->pid;
}

const struct collective_call *find_current_collective(const struct process *process, const struct thread *thread,
                                                      const struct object **ret_object)
{
    const struct object *object = find_object(process, thread->object_kind, thread->object_serial);
    const struct communicator *communicator =
        object == NULL ? find_communicator(process, thread->communicator_id) : NULL;
    const struct collective_call *calls = object != NULL         ? object->recent_collectives
                                          : communicator != NULL ? communicator->recent_collectives
                                                                 : NULL;
    const size_t count = object != NULL         ? object->collective_call_count
                         : communicator != NULL ? communicator->collective_call_count
                                                : 0;
    *ret_object = object;
    for (size_t i = count; i > 0; i--)
        if (calls[i - 1].active && strcmp(calls[i - 1].function, thread->function) == 0)
            return &calls[i - 1];
    return NULL;
}

void job_sort_processes(struct job *job)
{
    bool is_in_order = true;
    for (size_t i = 1; i < job->process_count && is_in_order; i++)
        is_in_order = compare_processes(&job->processes[i - 1], &job->processes[i]) <= 0;
    if (!is_in_order)
        qsort(job->processes, job->process_count, sizeof *job->processes, compare_processes);
}

const struct thread *find_poll(const struct thread *thread, size_t number)
{
    return number == 0 ? thread : &thread->other_polls[number - 1];
}

/* The process with as many in front of it, which it is in a job that lacks no rank; NULL: it is not the first of it. */
static const struct process *process_in_its_place(const struct job *job, int rank)
{
    const size_t place = (size_t)rank;
    if (rank < 0 || place >= job->process_count || job->processes[place].rank != rank ||
        (place > 0 && job->processes[place - 1].rank == rank))
        return NULL;
    return &job->processes[place];
}

bool process_is_read_now(const struct job *job, const struct process *process)
{
    return job->snapshot == NULL && (!process->is_saved || process->is_sent);
}

const struct process *find_process(const struct job *job, int rank)
{
    const struct process *in_its_place = process_in_its_place(job, rank);
    if (in_its_place != NULL)
        return in_its_place;
    size_t low = 0;
    for (size_t high = job->process_count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (job->processes[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < job->process_count && job->processes[low].rank == rank ? &job->processes[low] : NULL;
}

double process_ages_delay_s(const struct process *process, const struct process *until)
{
    static const double least_s = 0.1; /* processes that were read at one moment compare their ages as they are */
    const double delay_s = until->ages_end_s - process->ages_end_s;
    const bool are_known = until->ages_end_s > 0 && process->ages_end_s > 0;
    return are_known && (delay_s >= least_s || delay_s <= -least_s) ? delay_s : 0;
}

bool process_list_has_rank(const struct process *const *processes, size_t count, int rank)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (processes[middle]->rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && processes[low]->rank == rank;
}

/* clear_X() frees what a struct X owns by these. */
/* clang-format off */
#define KIND(kind, answer)                OWN_KIND(kind)
#define OWN_KIND(kind)                    static inline void clear_##kind(struct kind *one) { (void)one;
#define NUMBER(...)
#define TRUTH(...)
#define TEXT(...)
#define ID(...)
#define PEER(...)
#define SITE(...)
#define AGE(...)
#define KEPT(...)
#define LIMITED(...)
#define UNSAVED(...)
#define SHARED(...)
#define ROWS(kind, row, rows, count, json)                                                                             \
    for (size_t i = 0; i < one->count; i++) { clear_##row(&one->rows[i]); }                                            \
    free(one->rows); one->rows = NULL; one->count = 0;
#define NUMBERS(kind, numbers, count)     free(one->numbers); one->numbers = NULL; one->count = 0;
#define QUEUE(kind, queue)                free(one->queue.items); one->queue = (struct operations){0};
#define ONE(kind, of, member)             if (one->member != NULL) { clear_##of(one->member); } free(one->member); one->member = NULL;
#define END(kind)                         }
#define OWN_END(kind)                     }
#include "model/model.def"
/* clang-format on */

bool object_is_left(const struct object *object)
{
    return object->freed && object->users == 0 && (object->window != NULL || object->file != NULL);
}

uint64_t freed_object_calls(const struct freed_object *object, bool with_freeing)
{
    return object->collective_calls - (!with_freeing && object->collective_calls > 0 && object->function[0] != '\0');
}

void window_destroy(struct window *window)
{
    if (window != NULL)
        clear_window(window);
    free(window);
}

const char *function_of_any_count(const char *function, const char *small_count)
{
    return small_count != NULL && small_count[0] != '\0' ? small_count : function;
}

const struct call_stack *find_call_stack(const struct process *process, uint32_t tid)
{
    for (size_t i = 0; i < process->call_stack_count; i++)
        if (process->call_stacks[i].tid == tid)
            return &process->call_stacks[i];
    return NULL;
}

void process_clear_call_stacks(struct process *process)
{
    struct process stacks = {.call_stacks = process->call_stacks, .call_stack_count = process->call_stack_count};
    clear_process(&stacks);
    process->call_stacks = NULL;
    process->call_stack_count = 0;
}

void process_clear_kernel_facts(struct process *process)
{
    if (process->kernel != NULL)
        kernel_facts_clear(process->kernel);
    free(process->kernel);
    process->kernel = NULL;
}

uint64_t count_received(const struct communicator *communicator)
{
    uint64_t count = 0;
    for (size_t i = 0; i < communicator->channel_count; i++)
        count += communicator->channels[i].received;
    return count;
}

uint64_t count_unreceived(const struct communicator *communicator)
{
    return communicator->unexpected.count + communicator->unexpected_unknown;
}

void process_clear_contents(struct process *process)
{
    process_clear_kernel_facts(process);
    process_clear_index(process);
    clear_process(process);
}

bool job_was_watched(const struct job *job)
{
    return job->samples > 1 || (job->process_count > 0 && job->processes[0].core != NULL);
}

void job_move_pools(struct job *from, struct job *to)
{
    to->names = from->names;
    to->groups = from->groups;
    to->details = from->details;
    to->sites = from->sites;
    from->names = (struct text_pool){0};
    from->groups = (struct group_pool){0};
    from->details = (struct operation_details_pool){.root = NULL};
    from->sites = (struct site_cache){0};
}

void process_clear(struct process *process)
{
    process_clear_contents(process);
    target_close(process->target);
    target_close(process->crash_target);
    free(process->crash_how);
    free(process->host);
    free(process->executable);
    free(process->core);
    free(process->reason);
}

void job_add_note(struct job *job, char *note)
{
    job->notes = array_append(job->notes, &job->note_count, sizeof *job->notes);
    job->notes[job->note_count - 1] = note;
}

void job_clear(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        process_clear(&job->processes[i]);
    free(job->processes);
    free(job->id);
    free(job->identity);
    free(job->mpi);
    free(job->launcher);
    free(job->launch_problem);
    free(job->user);
    free(job->command);
    free(job->snapshot);
    free(job->absent_reason);
    rank_set_clear(&job->absent);
    for (size_t i = 0; i < job->note_count; i++)
        free(job->notes[i]);
    free(job->notes);
    for (size_t i = 0; i < job->other_world_count; i++)
        job_clear(&job->other_worlds[i]);
    free(job->other_worlds);
    free(job->parts);
    arena_clear(&job->names.arena);
    arena_clear(&job->groups.arena);
    arena_clear(&job->details.arena);
    site_cache_clear(&job->sites);
    *job = (struct job){0};
}
