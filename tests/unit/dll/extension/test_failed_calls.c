/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about failed calls.
 */
#include "threads.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(failed_calls, .init = create_job, .fini = close_job);

static struct mpilens_failed_call of_send(void)
{
    struct mpilens_failed_call call = {.state = 1,
                                       .outcome = MPILENS_FAILED_RETURNED,
                                       .serial = 3,
                                       .count = 2,
                                       .site = 0x401234,
                                       .communicator_id = 1,
                                       .amount = 10,
                                       .bytes = 40,
                                       .actual_bytes = -1,
                                       .function = opened.job.function.send,
                                       .thread = 1,
                                       .known = MPILENS_FAILED_HAS_PEER | MPILENS_FAILED_HAS_TAG,
                                       .peer = 2,
                                       .tag = -5,
                                       .error = 77};
    strcpy(call.name, "MPI_Send");
    strcpy(call.error_class, "MPI_ERR_TAG");
    strcpy(call.text, "invalid tag");
    return call;
}

static size_t get(struct mpilens_failed_call_information *calls, size_t capacity)
{
    size_t count = 99;
    calls[0].struct_size = sizeof *calls;
    cr_assert_eq(mpilens_get_failed_calls(opened.process, calls, capacity, &count), mqs_ok);
    return count;
}

Test(failed_calls, have_their_arguments_and_what_mpi_says)
{
    struct mpilens_failed_call call = of_send();
    fake_target_add(opened.job.target, MPILENS_TABLE_FAILED_CALLS, &call);
    call.state = 0;
    fake_target_add(opened.job.target, MPILENS_TABLE_FAILED_CALLS, &call);
    open_job();
    struct mpilens_failed_call_information got[4];
    cr_assert_eq(get(got, 4), 1);
    cr_expect_str_eq(got[0].function, "MPI_Send");
    cr_expect_str_eq(got[0].error_class, "MPI_ERR_TAG");
    cr_expect_str_eq(got[0].text, "invalid tag");
    cr_expect(got[0].times == 2 && got[0].error == 77 && got[0].site == 0x401234 && got[0].elements == 10);
    cr_expect(got[0].has_peer && got[0].peer_local == 2 && got[0].has_tag && got[0].tag == -5 && !got[0].tag_wild);
    cr_expect(!got[0].has_root && got[0].root == -1 && !got[0].is_under_way);
    cr_expect_eq(got[0].call_class, MPILENS_CALL_POINT_TO_POINT);
}

Test(failed_calls, are_under_way_while_their_thread_is_in_them)
{
    struct mpilens_failed_call call = of_send();
    struct mpilens_thread thread = in_call(opened.job.function.send);
    thread.index = 0;
    add_thread(&thread);
    call.outcome = MPILENS_FAILED_RAISED;
    call.entered = thread.entered;
    call.operations = thread.operations;
    fake_target_add(opened.job.target, MPILENS_TABLE_FAILED_CALLS, &call);
    call.operations++; /* it is in another call of the same function */
    fake_target_add(opened.job.target, MPILENS_TABLE_FAILED_CALLS, &call);
    call.thread = 5; /* of which nothing is known */
    fake_target_add(opened.job.target, MPILENS_TABLE_FAILED_CALLS, &call);
    open_job();
    struct mpilens_failed_call_information got[4];
    cr_assert_eq(get(got, 4), 3);
    cr_expect(got[0].is_under_way && !got[1].is_under_way && !got[2].is_under_way);
    cr_assert_eq(get(got, 1), 1, "no more than there is room for");
    size_t count = 99;
    cr_expect_eq(mpilens_get_failed_calls(opened.process, NULL, 1, &count), MPILENS_ERROR_BAD_ARGUMENT);
    cr_expect_eq(count, 99);
}
