/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of ranks, as characters, and lines of these.
 */
#include "base/base.h"
#include "job_facts.h"
#include "model_builder.h"
#include "monitor/monitor.h"
#include "stack/stack.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct operation_details_pool details;

static struct thread *add_thread(struct process *process, const char *function, uint32_t call_class)
{
    process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
    struct thread *thread = &process->threads[process->thread_count - 1];
    *thread = (struct thread){.function = function, .call_class = call_class};
    process_add_facts(&details, process);
    return thread;
}

static void wait_for(struct thread *thread, const struct operation *operation)
{
    thread->waiting = array_append(thread->waiting, &thread->waiting_known, sizeof *thread->waiting);
    thread->waiting[thread->waiting_known - 1] = operation->serial;
    thread->waiting_count = thread->waiting_known;
}

static char character_in(const char *function, uint32_t call_class)
{
    struct job job = build_job(1);
    add_thread(&job.processes[0], function, call_class);
    const char character = watch_character(&job.processes[0], NULL);
    job_clear(&job);
    return character;
}

Test(watch, collective_calls_have_their_characters)
{
    static const struct {
        const char *function;
        char character;
    } known[] = {{"MPI_Barrier", 'b'},   {"MPI_Bcast", 'B'},          {"MPI_Bcast_c", 'B'},
                 {"MPI_Gatherv", 'g'},   {"MPI_Allgather", 'G'},      {"MPI_Reduce", 'd'},
                 {"MPI_Allreduce", 'R'}, {"MPI_Alltoall", 'a'},       {"MPI_Alltoallw_c", 'A'},
                 {"MPI_Scan", 'c'},      {"MPI_Reduce_scatter", 'c'}, {"MPI_Ineighbor_x_c", 'c'}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        cr_expect_eq(character_in(known[i].function, MPILENS_CALL_COLLECTIVE), known[i].character, "%s",
                     known[i].function);
    cr_expect_eq(character_in("MPI_Win_lock", MPILENS_CALL_SYNCHRONIZATION), 'w');
    cr_expect_eq(character_in("MPI_Probe", MPILENS_CALL_PROBE), 'r');
}

Test(watch, waiting_for_messages)
{
    struct job job = build_job(2);
    struct process *process = &job.processes[0];
    struct thread *thread = add_thread(process, "MPI_Waitall", MPILENS_CALL_WAIT);
    cr_expect_eq(watch_character(process, NULL), 'w');
    wait_for(thread, build_send(world_of(&job, 0), 1, 1, 0, BUILD_PENDING));
    cr_expect_eq(watch_character(process, NULL), 's');
    wait_for(thread, build_receive(world_of(&job, 0), 1, 1, 0, BUILD_PENDING));
    cr_expect_eq(watch_character(process, NULL), 'm');
    thread->waiting[0] = thread->waiting[1];
    cr_expect_eq(watch_character(process, NULL), 'r');
    world_of(&job, 0)->unexpected_unknown = 1;
    cr_expect_eq(watch_character(process, NULL), 'U');
    thread->polling = true;
    thread->idle_s = 5;
    cr_expect_eq(watch_character(process, NULL), 'u', "it does something else between two polls");
    job_clear(&job);
}

Test(watch, outside)
{
    struct job job = build_job(1);
    struct process *process = &job.processes[0];
    struct process before = {.read_at_s = 10, .cpu_time_s = 5};
    add_thread(process, "", MPILENS_CALL_OTHER);
    process->read_at_s = 11;
    process->cpu_time_s = 5;
    process->activity = ACTIVITY_COMPUTING;
    cr_expect_eq(watch_character(process, NULL), '.');
    process->activity = ACTIVITY_SLEEPING;
    cr_expect_eq(watch_character(process, &before), '-');
    process->cpu_time_s = 5.5;
    cr_expect_eq(watch_character(process, &before), '.', "it slept just now, but has computed");
    process->activity = ACTIVITY_STOPPED;
    cr_expect_eq(watch_character(process, &before), 'T');
    process->state = PROCESS_FINALIZED;
    cr_expect_eq(watch_character(process, NULL), 'f');
    process->state = PROCESS_INITIALIZING;
    cr_expect_eq(watch_character(process, NULL), 'i');
    process->state = PROCESS_EXITED;
    cr_expect_eq(watch_character(process, NULL), 'x');
    process->state = PROCESS_UNREADABLE;
    cr_expect_eq(watch_character(process, NULL), '*');
    job_clear(&job);
}

static char *render(struct watch_page *page, const struct job *job)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert_not_null(stream);
    cr_expect_eq(watch_render(stream, page, job, NULL, "01:02:03"), 0);
    fclose(stream);
    return text;
}

Test(watch, lines_have_a_ruler_and_are_wrapped_at_tens)
{
    static const struct rank_set all_ranks;
    struct job job = build_job(23);
    for (int rank = 0; rank < job.size; rank++)
        add_thread(&job.processes[rank], rank == 21 ? "MPI_Bcast" : "MPI_Barrier", MPILENS_CALL_COLLECTIVE);
    struct watch_page page = {.ranks = &all_ranks};
    char *text = render(&page, &job);
    cr_expect_str_eq(text, "          0....5....1....5....2..\n01:02:03  bbbbbbbbbbbbbbbbbbbbbBb\n");
    free(text);
    text = render(&page, &job);
    cr_expect_str_eq(text, "01:02:03  bbbbbbbbbbbbbbbbbbbbbBb\n", "the ruler is there");
    free(text);
    page = (struct watch_page){.ranks = &all_ranks, .width = 35};
    text = render(&page, &job);
    cr_expect_str_eq(text, "          0....5....1....5....\n01:02:03  bbbbbbbbbbbbbbbbbbbb\n      20  bBb\n");
    free(text);
    job_clear(&job);
}
