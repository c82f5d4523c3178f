/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When a job is taken to go on: by what changes in its processes, and by the processor time that they use.
 */
#include "base/base.h"
#include "model_builder.h"
#include "monitor/monitor_internal.h"

#include <criterion/criterion.h>
#include <unistd.h>

/* Two readings of a job of two ranks, of which nothing is different. */
struct pair {
    struct job job;
    struct guard_reading before, later;
};

static struct thread *add_thread(struct process *process, const char *function)
{
    process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
    struct thread *thread = &process->threads[process->thread_count - 1];
    *thread = (struct thread){.tid = 1, .function = function, .entered = 100, .completions = 7, .operation_serial = 9};
    return thread;
}

static struct pair make_pair(const char *function)
{
    struct pair pair = {.job = build_job(2)};
    for (int rank = 0; rank < 2; rank++)
        add_thread(&pair.job.processes[rank], function);
    guard_reading_add(&pair.before, &pair.job);
    pair.later.at_s = 10;
    return pair;
}

static bool progresses(struct pair *pair)
{
    guard_reading_add(&pair->later, &pair->job);
    const bool result = guard_has_progressed(&pair->before, &pair->later);
    arena_clear(&pair->later.arena);
    pair->later = (struct guard_reading){.at_s = 10};
    return result;
}

static void clear(struct pair *pair)
{
    arena_clear(&pair->before.arena);
    arena_clear(&pair->later.arena);
    job_clear(&pair->job);
}

Test(guard_progress, every_change_in_mpi_is_progress)
{
    struct pair pair = make_pair("MPI_Recv");
    struct process *process = &pair.job.processes[1];
    struct thread *thread = &process->threads[0];
    struct communicator *world = world_of(&pair.job, 1);
    cr_expect_not(progresses(&pair));
#define EXPECT_PROGRESS_BY(change, undo)                                                                               \
    change;                                                                                                            \
    cr_expect(progresses(&pair), #change);                                                                             \
    undo;                                                                                                              \
    cr_expect_not(progresses(&pair), "after " #change)
    EXPECT_PROGRESS_BY(thread->completions++, thread->completions--);
    EXPECT_PROGRESS_BY(thread->operation_serial++, thread->operation_serial--);
    EXPECT_PROGRESS_BY(thread->entered++, thread->entered--);
    EXPECT_PROGRESS_BY(thread->function = "MPI_Send", thread->function = "MPI_Recv");
    EXPECT_PROGRESS_BY(thread->ended = true, thread->ended = false);
    EXPECT_PROGRESS_BY(world->collective_calls++, world->collective_calls--);
    EXPECT_PROGRESS_BY(world->constructor_calls++, world->constructor_calls--);
    EXPECT_PROGRESS_BY(process->state = PROCESS_FINALIZING, process->state = PROCESS_RUNNING);
    EXPECT_PROGRESS_BY(process->pid++, process->pid--);
    build_forgotten(world, 0, 0, 5, 3);
    cr_expect(progresses(&pair), "messages were sent");
    clear(&pair);
}

Test(guard_progress, polling_in_vain_is_none)
{
    struct pair pair = make_pair("MPI_Test");
    struct thread *thread = &pair.job.processes[0].threads[0];
    thread->polling = true;
    arena_clear(&pair.before.arena);
    pair.before = (struct guard_reading){.at_s = 0};
    guard_reading_add(&pair.before, &pair.job);
    thread->polls = 1000;
    thread->entered++;
    thread->function = "MPI_Iprobe";
    cr_expect_not(progresses(&pair));
    thread->polling = false;
    thread->function = "";
    cr_expect_not(progresses(&pair), "between two polls it is not in MPI");
    clear(&pair);
}

static bool is_taken_to_go_on(char first_state, char second_state)
{
    struct guard_process before[] = {{.pid = 1, .kernel_state = 'S'}, {.pid = 2, .kernel_state = 'S'}};
    struct guard_process later[] = {{.pid = 1, .kernel_state = first_state}, {.pid = 2, .kernel_state = second_state}};
    return guard_has_progressed(&(struct guard_reading){.processes = before, .process_count = 2},
                                &(struct guard_reading){.at_s = 1, .processes = later, .process_count = 2});
}

Test(guard_progress, debugged_and_suspended_jobs_are_not_ended)
{
    cr_expect_not(is_taken_to_go_on('S', 'S'));
    cr_expect(is_taken_to_go_on('S', 't'));
    cr_expect_not(is_taken_to_go_on('S', 'T'), "one is stopped, the other is not");
    cr_expect(is_taken_to_go_on('T', 'T'));
}

static bool has_computed(bool is_outside, double cpu_time_s, double outside_time_s, uint64_t outside)
{
    struct guard_process first = {
        .pid = 1, .kernel_state = 'S', .is_outside = is_outside, .cpu_time_s = 2, .outside_time_s = 1};
    struct guard_process second = first;
    second.cpu_time_s += cpu_time_s;
    second.outside_time_s += outside_time_s;
    second.outside = outside;
    const struct guard_reading before = {.at_s = 10, .processes = &first, .process_count = 1};
    const struct guard_reading later = {.at_s = 20, .processes = &second, .process_count = 1};
    return guard_has_progressed(&before, &later);
}

Test(guard_progress, who_computes_outside_goes_on)
{
    cr_expect(has_computed(true, 0.2, 0, 0));
    cr_expect_not(has_computed(true, 0.05, 0, 0), "that little is not computing");
    cr_expect_not(has_computed(false, 10, 0, 0), "it spins in MPI");
    cr_expect(has_computed(false, 10, 0.2, 0), "another of its threads computes");
    cr_expect_not(has_computed(false, 10, 0.2, 1), "that is time of other threads than before");
}

/* Reads the first process of the job. */
static struct guard_process read_first(const struct job *job)
{
    struct guard_reading reading = {0};
    guard_reading_add(&reading, job);
    const struct guard_process first = reading.process_count > 0 ? reading.processes[0] : (struct guard_process){0};
    arena_clear(&reading.arena);
    return first;
}

Test(guard_progress, threads_outside_are_those_that_do_not_wait)
{
    struct pair pair = make_pair("MPI_Recv");
    struct thread *thread = &pair.job.processes[0].threads[0];
    pair.job.processes[0].pid = getpid();
    thread->tid = (uint32_t)getpid();
    struct guard_process process = read_first(&pair.job);
    cr_expect_not(process.is_outside);
    cr_expect_eq(process.outside_time_s, 0);
    thread->polling = true;
    thread->idle_s = 0.1;
    cr_expect_not(read_first(&pair.job).is_outside);
    thread->idle_s = 3;
    process = read_first(&pair.job);
    cr_expect(process.is_outside, "it does something else between two polls");
    cr_expect_gt(process.cpu_time_s, 0);
    cr_expect_gt(process.outside_time_s, 0);
    cr_expect_eq(process.kernel_state, 'R');
    clear(&pair);
}

Test(guard_progress, quiet_time_adds_up)
{
    struct pair pair = make_pair("MPI_Recv");
    guard_reading_add(&pair.later, &pair.job);
    cr_expect_float_eq(guard_quiet_time(5, &pair.before, &pair.later, 20), 15, 1e-9);
    cr_expect_float_eq(guard_quiet_time(5, &pair.before, &pair.later, 2), 7, 1e-9, "suspended in between");
    pair.later.digest++;
    cr_expect_eq(guard_quiet_time(5, &pair.before, &pair.later, 20), 0);
    clear(&pair);
}

/* 10 s in which a rank had a processor for `run_s` and waited for one for `waited_s`. */
static double runnable_time(char state, double run_s, double waited_s)
{
    struct guard_thread before = {.tid = 1, .kernel_state = 'S', .times = {.run_s = 3, .waited_s = 5}};
    struct guard_thread later = {
        .tid = 1, .kernel_state = state, .times = {.run_s = 3 + run_s, .waited_s = 5 + waited_s}};
    struct guard_process first = {.pid = 1, .kernel_state = 'S', .threads = &before, .thread_count = 1};
    struct guard_process second = {.pid = 1, .kernel_state = state, .threads = &later, .thread_count = 1};
    return guard_runnable_time(&(struct guard_reading){.at_s = 10, .processes = &first, .process_count = 1},
                               &(struct guard_reading){.at_s = 20, .processes = &second, .process_count = 1});
}

Test(guard_progress, only_time_in_which_ranks_could_run_counts)
{
    cr_expect_float_eq(runnable_time('S', 0, 0), 10, 1e-9, "it sleeps");
    cr_expect_float_eq(runnable_time('T', 0, 0), 10, 1e-9, "it is stopped, which is for the verdict");
    cr_expect_float_eq(runnable_time('R', 10, 0), 10, 1e-9, "it spins");
    cr_expect_float_eq(runnable_time('R', 0.1, 9.9), 0.1, 1e-9, "it waits for a processor");
    cr_expect_float_eq(runnable_time('R', 0, 0), 0, 1e-9, "the kernel has not added the wait yet");
    cr_expect_float_eq(runnable_time('S', 1, 4), 6, 1e-9, "it sleeps, and wakes up late");
    cr_expect_float_eq(runnable_time('S', 0.2, 12), 0.2, 1e-9, "a wait that had begun before");
}

Test(guard_progress, kernels_that_do_not_count_leave_all_time)
{
    struct guard_thread thread = {.tid = 1, .kernel_state = 'R', .times = {.run_s = -1, .waited_s = -1}};
    struct guard_process process = {.pid = 1, .threads = &thread, .thread_count = 1};
    const struct guard_reading before = {.at_s = 10, .processes = &process, .process_count = 1};
    const struct guard_reading later = {.at_s = 20, .processes = &process, .process_count = 1};
    cr_expect_float_eq(guard_runnable_time(&before, &later), 10, 1e-9);
    cr_expect_float_eq(guard_quiet_time(5, &before, &later, 20), 15, 1e-9);
}

Test(guard_progress, the_rank_and_the_launcher_that_lack_a_processor_count)
{
    struct guard_thread early[] = {{.tid = 1, .times = {.run_s = 1}}, {.tid = 2, .times = {.run_s = 1}}};
    struct guard_thread late[] = {{.tid = 1, .kernel_state = 'S', .times = {.run_s = 1}},
                                  {.tid = 2, .kernel_state = 'R', .times = {.run_s = 3}}};
    struct guard_thread early_launcher = {.tid = 3, .times = {.run_s = 1}};
    struct guard_thread late_launcher = {.tid = 3, .kernel_state = 'S', .times = {.run_s = 1, .waited_s = 9.5}};
    struct guard_process first[] = {{.pid = 1, .threads = &early[0], .thread_count = 1},
                                    {.pid = 2, .threads = &early[1], .thread_count = 1}};
    struct guard_process second[] = {{.pid = 1, .threads = &late[0], .thread_count = 1},
                                     {.pid = 2, .threads = &late[1], .thread_count = 1}};
    struct guard_reading before = {.at_s = 10, .processes = first, .process_count = 2};
    struct guard_reading later = {.at_s = 20, .processes = second, .process_count = 2};
    cr_expect_float_eq(guard_quiet_time(5, &before, &later, 20), 7, 1e-9, "the second rank had 2 s");
    before.launchers = &early_launcher;
    later.launchers = &late_launcher;
    before.launcher_count = later.launcher_count = 1;
    cr_expect_float_eq(guard_quiet_time(5, &before, &later, 20), 5.5, 1e-9, "the launcher had half a second");
}

Test(guard_progress, a_rank_that_computes_does_so_on_a_starved_host_too)
{
    struct guard_thread early = {.tid = 1, .times = {.run_s = 1}};
    struct guard_thread late = {.tid = 1, .kernel_state = 'R', .times = {.run_s = 1.05, .waited_s = 9.9}};
    struct guard_process first = {.pid = 1, .is_outside = true, .cpu_time_s = 1, .threads = &early, .thread_count = 1};
    struct guard_process second = {
        .pid = 1, .is_outside = true, .cpu_time_s = 1.05, .threads = &late, .thread_count = 1};
    cr_expect(guard_has_progressed(&(struct guard_reading){.at_s = 10, .processes = &first, .process_count = 1},
                                   &(struct guard_reading){.at_s = 20, .processes = &second, .process_count = 1}));
}

Test(guard_progress, times_of_threads_come_from_the_kernel)
{
    struct pair pair = make_pair("MPI_Recv");
    pair.job.processes[0].pid = getpid();
    struct guard_reading reading = {0};
    guard_reading_add(&reading, &pair.job);
    cr_assert_eq(reading.processes[0].thread_count, 2, "thread 1, which is none of this process, and the main one");
    const struct guard_thread *own = &reading.processes[0].threads[1];
    cr_expect_eq(own->tid, (uint32_t)getpid());
    cr_expect_eq(own->kernel_state, 'R');
    cr_expect(own->times.run_s > 0 || own->times.run_s == -1);
    arena_clear(&reading.arena);
    clear(&pair);
}
