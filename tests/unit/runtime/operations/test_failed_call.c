/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of failed calls, noted before MPI calls an error handler or only when they return.
 */
#include "mpilens/layout.h"
#include "operations/operations.h"
#include "receives.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(failed_call, .init = begin_mpi, .fini = end_mpi);

static char buffer[64];

static size_t failed_count(void)
{
    return shadow_count(MPILENS_TABLE_FAILED_CALLS, 1);
}

static const struct mpilens_failed_call *failed(size_t n)
{
    const struct mpilens_failed_call *call = shadow_record(MPILENS_TABLE_FAILED_CALLS, 1, n);
    cr_assert_not_null(call);
    return call;
}

static void send_that_fails(int error_class, int peer, int tag)
{
    fake.error = FAKE_ERROR(error_class);
    cr_assert_eq(MPI_Send(buffer, 3, MPI_INT, peer, tag, MPI_COMM_WORLD), FAKE_ERROR(error_class));
}

Test(failed_call, is_kept_with_its_arguments_when_it_returns_an_error)
{
    send_that_fails(MPI_ERR_RANK, 99, 7);
    cr_assert_eq(failed_count(), 1);
    const struct mpilens_failed_call *call = failed(0);
    cr_expect_str_eq(call->name, "MPI_Send");
    cr_expect_str_eq(call->error_class, "MPI_ERR_RANK");
    cr_expect_str_eq(call->text, "error 6 in words");
    cr_expect_eq(call->error, FAKE_ERROR(MPI_ERR_RANK));
    cr_expect_eq(call->outcome, MPILENS_FAILED_RETURNED);
    cr_expect(call->count == 1 && call->serial == 1 && call->site != 0 && call->communicator_id == 1);
    cr_expect(call->known == (MPILENS_FAILED_HAS_PEER | MPILENS_FAILED_HAS_TAG) && call->peer == 99 && call->tag == 7);
    cr_expect(call->amount == 3 && call->bytes == 12);
    cr_expect_str_eq(call->datatype, "MPI_INT");
}

Test(failed_call, is_nothing_where_calls_succeed)
{
    MPI_Send(buffer, 3, MPI_INT, 1, 7, MPI_COMM_WORLD);
    cr_expect_eq(failed_count(), 0);
    cr_expect_eq(mpilens_process.tables[MPILENS_TABLE_FAILED_CALLS].directory, 0);
}

Test(failed_call, is_counted_with_others_of_its_place_and_class)
{
    for (int i = 0; i < 5; i++)
        send_that_fails(i < 4 ? MPI_ERR_RANK : MPI_ERR_TAG, 90 + i, 7);
    cr_assert_eq(failed_count(), 2);
    cr_expect(failed(0)->count == 4 && failed(0)->peer == 93 && failed(0)->serial == 4, "as the last one was");
    cr_expect(failed(1)->count == 1 && failed(1)->serial == 5);
    cr_expect_str_eq(failed(1)->error_class, "MPI_ERR_TAG");
}

static const struct mpilens_failed_call *seen_in_handler;

static void raise_error(const struct fake_call *call)
{
    const struct raised_call raised =
        failed_call_raised(call->name + strlen("P") * (call->name[0] == 'P'), FAKE_ERROR(MPI_ERR_TAG));
    seen_in_handler = failed(0);
    cr_expect_eq(raised.record, seen_in_handler);
    cr_expect_eq(seen_in_handler->outcome, MPILENS_FAILED_RAISED, "before the handler has returned");
    cr_expect(seen_in_handler->peer == 2 && seen_in_handler->tag == -5);
    failed_call_handled(raised, call->name);
}

Test(failed_call, that_was_raised_is_counted_once_when_it_returns)
{
    fake.hook = raise_error;
    fake.error = FAKE_ERROR(MPI_ERR_TAG);
    MPI_Send(buffer, 3, MPI_INT, 2, -5, MPI_COMM_WORLD);
    cr_assert_eq(failed_count(), 1);
    cr_expect(failed(0)->count == 1 && failed(0)->outcome == MPILENS_FAILED_RETURNED);
}

static void raise_in_other_function(const struct fake_call *call)
{
    (void)call;
    failed_call_handled(failed_call_raised("internal_Comm_get_attr", FAKE_ERROR(MPI_ERR_KEYVAL)),
                        "internal_Comm_get_attr");
}

Test(failed_call, of_the_library_itself_is_not_the_programs)
{
    fake.hook = raise_in_other_function;
    cr_assert_eq(MPI_Send(buffer, 3, MPI_INT, 2, 5, MPI_COMM_WORLD), MPI_SUCCESS);
    cr_expect_eq(failed_count(), 0);
}

Test(failed_call, of_a_function_without_wrapper_has_its_name)
{
    const struct raised_call raised = failed_call_raised("internal_Comm_size", FAKE_ERROR(MPI_ERR_COMM));
    cr_assert_not_null(raised.record);
    cr_expect_str_eq(raised.record->name, "MPI_Comm_size");
    cr_expect_eq(raised.record->function, 0);
    failed_call_handled(raised, "internal_Comm_size");
    cr_expect_eq(raised.record->outcome, MPILENS_FAILED_RETURNED);
}

Test(failed_call, of_a_collective_has_root_and_number)
{
    fake.error = FAKE_ERROR(MPI_ERR_ROOT);
    MPI_Bcast(buffer, 2, MPI_INT, 77, MPI_COMM_WORLD);
    const struct mpilens_failed_call *call = failed(0);
    cr_expect_str_eq(call->name, "MPI_Bcast");
    cr_expect(call->collective == 1 && call->known == MPILENS_FAILED_HAS_ROOT && call->root == 77 && call->amount == 2);
}

Test(failed_call, abort_is_kept_with_its_code)
{
    MPI_Abort(MPI_COMM_WORLD, 42);
    cr_expect_str_eq(failed(0)->name, "MPI_Abort");
    cr_expect(failed(0)->error == 42 && failed(0)->outcome == MPILENS_FAILED_RAISED);
    cr_expect_str_eq(failed(0)->error_class, "");
}

/* Each with a name of its own, for they have one site. */
Test(failed_call, of_many_places_are_the_first_and_the_last)
{
    for (int i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof name, "MPI_x%d", i);
        failed_call_handled(failed_call_raised(name, FAKE_ERROR(MPI_ERR_ARG)), name);
    }
    cr_assert_eq(failed_count(), MPILENS_FIRST_FAILED_CALLS + MPILENS_LAST_FAILED_CALLS);
    size_t early = 0, late = 0;
    for (size_t i = 0; i < failed_count(); i++) {
        early += failed(i)->serial <= MPILENS_FIRST_FAILED_CALLS;
        late += failed(i)->serial > 200 - MPILENS_LAST_FAILED_CALLS;
    }
    cr_expect_eq(early, MPILENS_FIRST_FAILED_CALLS);
    cr_expect_eq(late, MPILENS_LAST_FAILED_CALLS);
}
