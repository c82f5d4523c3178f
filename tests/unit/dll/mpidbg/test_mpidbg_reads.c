/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How often queries of mpidbg.h read the target, and that it is right what they then say.
 */
#include "fake_contents.h"
#include "tested_queries.h"

#include <criterion/criterion.h>

enum { AIM = 3 };

static const mqs_taddr_t split = 0x84000002;

static struct fake_contents contents;
static uint64_t thread;
static uint64_t entered = 1;

static void add_requests(int count)
{
    for (int i = 0; i < count; i++) {
        struct mpilens_operation operation = send_to(0, i);
        operation.communicator = opened.job.split;
        operation.request = 0x6c000100 + (uint64_t)i;
        add_operation(&operation);
    }
    fake_target_publish(opened.job.target);
}

/* Everything that a process can have, a thread, and handles that are the same in Fortran. */
static void create(void)
{
    create_job_of_ints();
    fake_contents_add(&contents, &opened.job, &objects);
    thread = fake_target_add(opened.job.target, MPILENS_TABLE_THREADS,
                             &(struct mpilens_thread){.state = MPILENS_THREAD_ALIVE, .entered = entered});
    add_requests(2);
    open_queries();
}

TestSuite(reads, .init = create, .fini = close_queries);

static void run(void)
{
    put_field(thread, MPILENS_FIELD_thread_entered, ++entered);
}

struct answer {
    uint64_t reads;
    int size;
    int requests;
    int windows;
    int attributes;
    mqs_taddr_t handle;
};

static struct answer ask(mqs_taddr_t handle)
{
    struct mpidbg_comm_info_t *info = NULL;
    const uint64_t before = opened.debugger.reads;
    cr_assert_eq(mpidbg_comm_query(CONTEXT, handle, &info), MPIDBG_SUCCESS);
    struct answer answer = {opened.debugger.reads - before, info->comm_size,      info->comm_num_pending_requests,
                            info->comm_num_derived_windows, info->comm_num_attrs, info->comm_c_handle};
    cr_assert_eq(mpidbg_comm_handle_free((struct mpidbg_comm_handle_t *)(void *)info), MPIDBG_SUCCESS);
    return answer;
}

static void check_split(const struct answer *answer, int requests)
{
    cr_assert_eq(answer->handle, split);
    cr_assert(answer->size == 2 && answer->windows == 1 && answer->attributes == 1);
    cr_assert_eq(answer->requests, requests);
}

Test(reads, of_the_first_question_after_the_process_has_run)
{
    struct answer answer = ask(split);
    const int requests = answer.requests;
    check_split(&answer, requests);
    cr_assert_leq(answer.reads, 2, "it has not run since the names were learned: %lu", (unsigned long)answer.reads);
    for (int i = 0; i < 3; i++) {
        run();
        answer = ask(split);
        check_split(&answer, requests);
        cr_assert_leq(answer.reads, AIM, "%lu", (unsigned long)answer.reads);
        run();
        answer = ask(0x44000000);
        cr_assert_eq(answer.handle, 0x44000000);
        cr_assert_leq(answer.reads, AIM, "%lu", (unsigned long)answer.reads);
    }
}

Test(reads, see_what_is_new)
{
    const int requests = ask(split).requests;
    add_requests(1);
    put_field(objects.window, MPILENS_FIELD_window_communicator, opened.job.world);
    run();
    const struct answer answer = ask(split);
    cr_assert(answer.requests == requests + 1 && answer.windows == 0);
    cr_assert_leq(answer.reads, AIM + 1, "publishing moves the functions, too: %lu", (unsigned long)answer.reads);
}

/* There are new chunks, in places that were not known. */
Test(reads, see_tables_that_have_grown)
{
    enum { MORE = 100 };
    const int requests = ask(split).requests;
    fake_target_reserve(opened.job.target, 1 << 16);
    add_requests(MORE);
    run();
    cr_assert_eq(ask(split).requests, requests + MORE);
    run();
    const struct answer answer = ask(split);
    cr_assert_eq(answer.requests, requests + MORE);
    cr_assert_leq(answer.reads, AIM, "%lu", (unsigned long)answer.reads);
}

/* Between the tables: ranges that cannot be read together are read alone. */
Test(reads, do_without_memory_that_is_not_readable)
{
    const int requests = ask(split).requests;
    opened.debugger.unreadable_begin = fake_target_reserve(opened.job.target, 1 << 12);
    opened.debugger.unreadable_end = opened.debugger.unreadable_begin + (1 << 12);
    add_requests(40);
    for (int i = 0; i < 2; i++) {
        run();
        const struct answer answer = ask(split);
        check_split(&answer, requests + 40);
    }
}

static void run_before(struct fake_debugger *debugger, uint64_t address, size_t bytes)
{
    (void)debugger;
    (void)address;
    (void)bytes;
    run();
}

static void move_at_the_third(struct fake_debugger *debugger, uint64_t address, size_t bytes)
{
    if (debugger->reads == *(uint64_t *)debugger->context)
        run_before(debugger, address, bytes);
}

/* It should be stopped, but is not: then it is read with all care. */
Test(reads, of_a_process_that_runs_meanwhile)
{
    uint64_t third = 0;
    const int requests = ask(split).requests;
    run();
    opened.debugger.context = &third;
    opened.debugger.before_read = move_at_the_third;
    third = opened.debugger.reads + 3;
    struct answer answer = ask(split);
    check_split(&answer, requests);
    cr_assert_gt(answer.reads, 20, "%lu", (unsigned long)answer.reads);
    opened.debugger.before_read = run_before;
    answer = ask(split);
    check_split(&answer, requests);
    opened.debugger.before_read = NULL;
}

/* Whatever cannot be read, the answer is right or there is none. */
Test(reads, that_fail)
{
    const int requests = ask(split).requests;
    for (uint64_t n = 1; n <= 60; n++) {
        struct mpidbg_comm_info_t *info = NULL;
        run();
        opened.debugger.fail_read = opened.debugger.reads + n;
        opened.debugger.fail_later_reads = n % 2 == 0;
        const int result = mpidbg_comm_query(CONTEXT, split, &info);
        opened.debugger.fail_read = 0;
        cr_assert((result == MPIDBG_SUCCESS) == (info != NULL));
        if (info)
            cr_assert_eq(info->comm_num_pending_requests, requests);
        mpidbg_comm_handle_free((struct mpidbg_comm_handle_t *)(void *)info);
    }
    run();
    const struct answer answer = ask(split);
    check_split(&answer, requests);
}
