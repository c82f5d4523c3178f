/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fake target of the tests of mpid.h.
 */
#include "tested_draft.h"

#include <criterion/criterion.h>

#include <string.h>

struct fake_contents draft_contents;
mpid_process_handle_t *draft_process;

static uint64_t thread; /* address of its record */
static uint64_t entered = 100;

void draft_open(void)
{
    create_job_with_objects();
    fake_contents_add(&draft_contents, &opened.job, &objects);
    thread = fake_target_add(opened.job.target, MPILENS_TABLE_THREADS,
                             &(struct mpilens_thread){.state = MPILENS_THREAD_ALIVE, .tid = 77, .entered = entered});
    fake_target_publish(opened.job.target);
    cr_assert_eq(mpid_debugger_open(&opened.debugger, &draft_process), mpid_rc_ok);
}

void draft_close(void)
{
    mpid_debugger_close(draft_process);
    close_job();
}

void draft_check_text(char *text, const char *expected)
{
    cr_assert_not_null(text);
    cr_assert_str_eq(text, expected);
    mpid_debugger_free(text);
}

mpid_comm_handle_t *draft_comm(uint64_t value)
{
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_comm_query(draft_process, in_c(value), MPID_TYPE_LANG_C, &comm), mpid_rc_ok);
    return comm;
}

void draft_check_numbers(int count, int *numbers, int expected_count, const int *expected)
{
    cr_assert_eq(count, expected_count);
    cr_assert(count == 0 || memcmp(numbers, expected, (size_t)count * sizeof *numbers) == 0);
    mpid_debugger_free(numbers);
}

void draft_move_on(void)
{
    put_field(thread, MPILENS_FIELD_thread_entered, ++entered);
}
