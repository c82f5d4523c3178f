/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and allocations that fail, each of them in turn.
 */
#include "opened_job.h"
#include "walk.h"

#include <criterion/criterion.h>
#include <string.h>

static void create(struct opened_job *opened)
{
    opened_job_create(opened, &(struct fake_options){.chunk_capacity = 2});
    fake_job_populate(&opened->job);
    /* Long enough for ranges outside of the record. */
    const struct mpilens_range ranges[] = {{3, 1, 1}, {1, 1, 1}, {0, 1, 1}, {2, 1, 1}};
    uint64_t group = fake_job_group(&opened->job, 1, 4, ranges, 4);
    struct mpilens_communicator communicator = fake_job_communicator(&opened->job, group, 1, 4, "shuffled");
    fake_target_add(opened->job.target, MPILENS_TABLE_COMMUNICATORS, &communicator);
    fake_target_publish(opened->job.target);
}

static bool is_code_for_a_reading_failure(int code)
{
    return code == mqs_ok || code == MPILENS_ERROR_UNREADABLE;
}

/* Opens and walks with the debugger's switches as they are. */
static struct walk_result open_and_walk(struct opened_job *opened, int *ret_open)
{
    *ret_open = fake_debugger_open(&opened->debugger);
    struct walk_result result = {.update = -1};
    if (*ret_open == mqs_ok)
        result = walk_everything(opened->process, 4);
    cr_assert_eq(result.wrong, 0);
    return result;
}

static uint64_t count_reads(void)
{
    struct opened_job opened;
    int open_code = 0;
    create(&opened);
    struct walk_result result = open_and_walk(&opened, &open_code);
    cr_assert(result.update == mqs_ok && result.communicators == 5 && result.operations == 4 && result.threads == 2);
    uint64_t reads = opened.debugger.reads;
    cr_assert_eq(opened_job_close(&opened), 0);
    cr_assert_gt(reads, 15);
    return reads;
}

static void check_failing_reads(bool later_ones_too, bool fill)
{
    const uint64_t reads = count_reads();
    for (uint64_t n = 1; n <= reads; n++) {
        struct opened_job opened;
        int open_code = 0;
        create(&opened);
        opened.debugger.fail_read = n;
        opened.debugger.fail_later_reads = later_ones_too;
        opened.debugger.fill_before_failing = fill;
        struct walk_result result = open_and_walk(&opened, &open_code);
        if (open_code != mqs_ok) {
            cr_assert_eq(open_code, MPILENS_ERROR_UNREADABLE, "read %lu", (unsigned long)n);
        } else if (later_ones_too) {
            cr_assert_eq(result.update, MPILENS_ERROR_UNREADABLE, "read %lu", (unsigned long)n);
            cr_assert_eq(result.setup, MPILENS_ERROR_UNREADABLE);
            cr_assert_eq(result.items, 0);
        } else {
            cr_assert(is_code_for_a_reading_failure(result.update));
            cr_assert_eq(result.operations, 4, "one failing read is tried again");
        }
        opened.debugger.fail_read = 0;
        if (open_code == mqs_ok)
            cr_assert_eq(walk_everything(opened.process, 4).operations, 4, "all is well when reads work again");
        cr_assert_eq(opened_job_close(&opened), 0, "read %lu", (unsigned long)n);
    }
}

Test(faults, one_read_that_fails_does_no_harm)
{
    check_failing_reads(false, false);
}

Test(faults, one_read_that_gives_half_and_fails_does_no_harm)
{
    check_failing_reads(false, true);
}

Test(faults, reads_that_fail_from_some_time_on_give_a_code)
{
    check_failing_reads(true, false);
}

Test(faults, reads_that_give_half_and_fail_from_some_time_on_give_a_code)
{
    check_failing_reads(true, true);
}

/* The process has died: the earlier copy is all there is. */
Test(faults, reads_that_fail_after_a_copy_leave_it)
{
    struct opened_job opened;
    int open_code = 0;
    mqs_pending_operation operation;
    create(&opened);
    cr_assert_eq(open_and_walk(&opened, &open_code).update, mqs_ok);
    for (int i = 0; i < 2; i++) {
        opened.debugger.fail_read = 1;
        opened.debugger.fail_later_reads = true;
        const struct walk_result result = walk_everything(opened.process, 4);
        cr_assert_eq(result.update, MPILENS_ERROR_UNREADABLE);
        cr_assert(result.communicators == 5 && result.operations == 4);
        cr_assert_eq(mqs_setup_communicator_iterator(opened.process), mqs_ok);
        cr_assert_eq(mqs_setup_operation_iterator(opened.process, mqs_pending_receives), mqs_ok);
        cr_assert_eq(mqs_next_operation(opened.process, &operation), mqs_ok);
        cr_assert_not_null(strstr(operation.extra_text[3], "s ago: the process cannot be read any more"));
    }
    opened.debugger.fail_read = 0;
    cr_assert_eq(walk_everything(opened.process, 4).operations, 4);
    cr_assert_eq(opened_job_close(&opened), 0);
}

Test(faults, every_allocation_that_fails_gives_a_code_and_nothing_leaks)
{
    uint64_t allocations = 0;
    for (uint64_t n = 1; allocations == 0 || n <= allocations; n++) {
        struct opened_job opened;
        int open_code = 0;
        create(&opened);
        opened.debugger.fail_allocation = allocations == 0 ? 0 : n;
        struct walk_result result = open_and_walk(&opened, &open_code);
        if (allocations == 0) {
            cr_assert_eq(result.update, mqs_ok);
            allocations = fake_allocations();
            cr_assert_gt(allocations, 30);
            n = 0;
        } else if (open_code != mqs_ok) {
            cr_assert_eq(open_code, MPILENS_ERROR_NO_MEMORY, "allocation %lu", (unsigned long)n);
        } else if (result.update == mqs_ok) {
            cr_assert_eq(result.wrong, 0, "allocation %lu: after the copy, of what is asked for then",
                         (unsigned long)n);
        } else {
            cr_assert_eq(result.update, MPILENS_ERROR_NO_MEMORY, "allocation %lu", (unsigned long)n);
            cr_assert_eq(result.setup, MPILENS_ERROR_NO_MEMORY);
            cr_assert_eq(result.items, 0);
            opened.debugger.fail_allocation = 0;
            cr_assert_eq(walk_everything(opened.process, 4).operations, 4, "all is well when there is memory again");
        }
        cr_assert_eq(opened_job_close(&opened), 0, "allocation %lu", (unsigned long)n);
    }
}

Test(faults, any_page_that_is_not_readable_gives_a_code_or_is_not_needed)
{
    struct opened_job sizes;
    create(&sizes);
    const size_t used = sizes.job.target->used;
    cr_assert_eq(opened_job_close(&sizes), 0);
    const size_t page = 512;
    for (size_t at = 0; at < used; at += page) {
        struct opened_job opened;
        int open_code = 0;
        create(&opened);
        opened.debugger.unreadable_begin = opened.job.target->base + at;
        opened.debugger.unreadable_end = opened.debugger.unreadable_begin + page;
        struct walk_result result = open_and_walk(&opened, &open_code);
        cr_assert(is_code_for_a_reading_failure(open_code));
        if (open_code == mqs_ok)
            cr_assert(is_code_for_a_reading_failure(result.update));
        if (open_code == mqs_ok && result.update == mqs_ok)
            cr_assert_eq(result.operations, 4);
        cr_assert_eq(opened_job_close(&opened), 0);
    }
}
