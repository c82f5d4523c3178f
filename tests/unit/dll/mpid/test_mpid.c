/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger of the MPI Forum's draft, over a fake target: the bootstrap, what queries cost, handles that are stale,
 * and everything at once.
 */
#include "tested_draft.h"
#include "walk_mpid.h"

#include <criterion/criterion.h>

#include <string.h>

Test(mpid_bootstrap, refuses_what_it_cannot_serve)
{
    uint64_t version = 0;
    const char *string = NULL;
    mpid_process_handle_t **processes = NULL;
    int count = 0;
    create_job();
    const mpid_callbacks_t *callbacks = mpid_debugger_callbacks(&opened.debugger);
    mpid_address_space_context_t *context = (mpid_address_space_context_t *)(void *)&opened.debugger;
    cr_assert_eq(mpid_get_api_version(&version), mpid_rc_ok);
    cr_assert_eq(version, MPID_API_VERSION);
    cr_assert_eq(mpid_get_version_string(&string), mpid_rc_ok);
    cr_assert_not_null(strstr(string, "draft"));
    cr_assert_eq(mpid_process_initialize(context, &processes, &count), mpid_rc_callback_error);
    cr_assert_eq(mpid_initialize(MPID_API_VERSION + 1, callbacks), mpid_rc_incompatible);
    cr_assert_eq(mpid_initialize(MPID_API_VERSION, NULL), mpid_rc_callback_error);
    mpid_callbacks_t incomplete = *callbacks;
    incomplete.memory_read = NULL;
    cr_assert_eq(mpid_initialize(MPID_API_VERSION, &incomplete), mpid_rc_callback_error);
    cr_assert_eq(mpid_initialize(MPID_API_VERSION, callbacks), mpid_rc_ok);
    opened.debugger.no_symbol = true;
    cr_assert_eq(mpid_process_initialize(context, &processes, &count), mpid_rc_unsupported);
    cr_assert_null(processes);
    close_job();
}

Test(mpid_bootstrap, of_a_process_that_has_not_called_mpi)
{
    mpid_comm_handle_t *comm = NULL;
    create_job();
    opened.job.target->process.state = MPILENS_PROCESS_UNUSED;
    fake_target_publish(opened.job.target);
    cr_assert_eq(mpid_debugger_open(&opened.debugger, &draft_process), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_by_name(draft_process, "MPI_COMM_WORLD", &comm), mpid_rc_unavailable);
    draft_close();
}

TestSuite(mpid, .init = draft_open, .fini = draft_close);

Test(mpid, callbacks_of_a_query)
{
    mpid_comm_handle_t *comm = draft_comm(0x44000000);
    mpid_comm_handle_free(comm);
    uint64_t reads = opened.debugger.reads;
    const uint64_t lookups = opened.debugger.symbol_lookups;
    comm = draft_comm(0x84000002);
    cr_assert_leq(opened.debugger.reads - reads, 3);
    reads = opened.debugger.reads;
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, NULL, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_procs(comm, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(opened.debugger.reads, reads);
    cr_assert_eq(opened.debugger.symbol_lookups, lookups);
    cr_assert_eq(opened.debugger.type_lookups, 0);
    mpid_comm_handle_free(comm);
}

/* A handle that was freed by the debugger too late answers about the object as it is, and says when that is gone. */
Test(mpid, stale_handles)
{
    int size;
    mpid_comm_handle_t *comm = draft_comm(0x84000002);
    mpid_comm_handle_t *other = NULL;
    put_field(opened.job.split, MPILENS_FIELD_communicator_state, 0);
    draft_move_on();
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, NULL, NULL, &size, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(size, 2, "nothing has been asked anew");
    cr_assert_eq(mpid_comm_query(draft_process, in_c(0x84000002), MPID_TYPE_LANG_C, &other), mpid_rc_unavailable);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, NULL, NULL, &size, NULL, NULL, NULL), mpid_rc_stale_handle);
    cr_assert_eq(mpid_comm_handle_free(comm), mpid_rc_ok);
}

/* Beside a debugger of the message queues in the same library. */
Test(mpid, shares_the_library)
{
    cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    mpid_comm_handle_t *comm = draft_comm(0x44000000);
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, NULL, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(mqs_next_communicator(opened.process), mqs_ok);
    mpid_comm_handle_free(comm);
}

static const uint64_t values[] = {0x44000000, 0x44000001, 0x84000002, 0x84000003, 0x4c000405, 0x8c000001, 0x8c000003,
                                  0x98000001, 0x94000001, 0x9c000001, 0xa0000001, 0x5555000,  0x80000001, 0x88000001,
                                  0x04000000, 0x2c000000, 0,          1003,       UINT64_MAX};
enum { VALUES = sizeof values / sizeof values[0] };

Test(mpid, everything)
{
    struct walk_mpid_result result = walk_mpid(draft_process, values, VALUES);
    cr_assert_eq(result.wrong, 0);
    cr_assert_geq(result.found, VALUES - 3);
    cr_assert_geq(result.answers, 5 * VALUES);
}

Test(mpid, nothing_is_lost_without_memory)
{
    struct walk_mpid_result whole = walk_mpid(draft_process, values, VALUES);
    uint64_t first = fake_allocations();
    walk_mpid(draft_process, values, VALUES);
    const uint64_t needed = fake_allocations() - first;
    const uint64_t held = fake_allocations_held();
    for (uint64_t n = 1; n <= needed; n += n < 100 ? 1 : 37) {
        opened.debugger.fail_allocation = fake_allocations() + n;
        cr_assert_eq(walk_mpid(draft_process, values, VALUES).wrong, 0, "allocation %llu", (unsigned long long)n);
        opened.debugger.fail_allocation = 0;
    }
    cr_assert_eq(walk_mpid(draft_process, values, VALUES).answers, whole.answers);
    cr_assert_eq(fake_allocations_held(), held);
}
