/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions in the draft's interface.
 */
#include "tested_draft.h"

#include <criterion/criterion.h>

TestSuite(mpid_sessions, .init = draft_open, .fini = draft_close);

Test(mpid_sessions, session)
{
    int count;
    int size;
    const char *name;
    mpid_session_handle_t *session = NULL;
    mpid_session_handle_t *other = NULL;
    mpid_group_handle_t *group = NULL;
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_get_num_sessions(draft_process, &count), mpid_rc_ok);
    cr_assert_eq(count, 1);
    cr_assert_eq(mpid_get_nth_session(draft_process, 1, &session), mpid_rc_bad_input);
    cr_assert_eq(mpid_get_nth_session(draft_process, 0, &session), mpid_rc_ok);
    cr_assert_eq(mpid_session_query_num_psets(session, &count), mpid_rc_ok);
    cr_assert_eq(count, 3);
    cr_assert_eq(mpid_session_query_nth_pset(session, 2, &name), mpid_rc_ok);
    cr_assert_str_eq(name, "app://left");
    mpid_debugger_free(name);
    cr_assert_eq(mpid_session_query_nth_pset(session, 3, &name), mpid_rc_bad_input);
    cr_assert_eq(mpid_session_query_group_for_pset(session, "mpi://WORLD", &group), mpid_rc_ok);
    cr_assert_eq(mpid_group_query_basic(group, NULL, NULL, NULL, &size, NULL), mpid_rc_ok);
    cr_assert_eq(size, 4);
    mpid_group_handle_free(group);
    cr_assert_eq(mpid_comm_query_by_name(draft_process, "of the session", &comm), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_session(comm, &other), mpid_rc_ok);
    mpid_session_handle_free(other);
    mpid_comm_handle_free(comm);
    mpid_session_handle_free(session);
    comm = draft_comm(0x44000000);
    cr_assert_eq(mpid_comm_query_session(comm, &other), mpid_rc_unavailable);
    mpid_comm_handle_free(comm);
}

static struct mpilens_group group_of(int32_t first, int32_t count, uint32_t function)
{
    static uint32_t serial = 1000;
    serial++;
    return (struct mpilens_group){.state = MPILENS_OBJECT_LIVE,
                                  .handle = 0x88000000 + serial,
                                  .function = function,
                                  .serial = serial,
                                  .size = count,
                                  .rank = -1,
                                  .range_count = 1,
                                  .hash = (uint64_t)first << 8 | (uint64_t)count,
                                  .session = objects.session,
                                  .short_ranges = {{.first = first, .stride = 1, .count = count}}};
}

/* Records say where their ranges stand. */
static void add_group(struct mpilens_group group)
{
    struct fake_target *target = opened.job.target;
    const uint64_t address = fake_target_add(target, MPILENS_TABLE_GROUPS, &group);
    put_field(address, MPILENS_FIELD_group_ranges, address + target->fields[MPILENS_FIELD_group_short_ranges].offset);
    fake_target_publish(target);
    draft_move_on();
}

static int ask_for(const char *pset, int *ret_size)
{
    mpid_session_handle_t *session = NULL;
    mpid_group_handle_t *group = NULL;
    cr_assert_eq(mpid_get_nth_session(draft_process, 0, &session), mpid_rc_ok);
    const int result = mpid_session_query_group_for_pset(session, pset, &group);
    cr_assert_eq(result == mpid_rc_ok, group != NULL);
    if (group != NULL)
        cr_assert_eq(mpid_group_query_basic(group, NULL, NULL, NULL, ret_size, NULL), mpid_rc_ok);
    mpid_group_handle_free(group);
    mpid_session_handle_free(session);
    return result;
}

/* The third set that the session offers is app://left. */
Test(mpid_sessions, groups_of_process_sets)
{
    int size = 0;
    struct fake_target *target = opened.job.target;
    const uint32_t from_set = fake_target_function(target, "MPI_Group_from_session_pset", MPILENS_CALL_SESSION, 0);
    const uint32_t included = fake_target_function(target, "MPI_Group_incl", MPILENS_CALL_GROUP, 0);
    cr_assert_eq(ask_for("app://left", &size), mpid_rc_unavailable);
    cr_assert_eq(ask_for("mpi://SELF", &size), mpid_rc_unavailable, "nobody has made a group of it");
    add_group(group_of(1, 1, from_set));
    cr_assert_eq(ask_for("mpi://SELF", &size), mpid_rc_ok);
    cr_assert_eq(size, 1);
    add_group(group_of(2, 2, included));
    cr_assert_eq(ask_for("app://left", &size), mpid_rc_unavailable, "that group is a part of some other");
    add_group(group_of(0, 2, from_set));
    cr_assert_eq(ask_for("app://left", &size), mpid_rc_ok);
    cr_assert_eq(size, 2);
    add_group(group_of(0, 2, from_set));
    cr_assert_eq(ask_for("app://left", &size), mpid_rc_ok, "a second one of it");
    cr_assert_eq(ask_for("app://right", &size), mpid_rc_unavailable);
    add_group(group_of(0, 3, from_set));
    cr_assert_eq(ask_for("app://left", &size), mpid_rc_unavailable, "there are two sets then");
    cr_assert_eq(ask_for("mpi://WORLD", &size), mpid_rc_ok);
    cr_assert_eq(size, 4);
}
