/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs with sessions: without MPI_Init, several at a time, beside MPI_Init.
 */
#include "inside.h"
#include "thread/thread.h"

#include <criterion/criterion.h>

#include <string.h>

static MPI_Session next_session;

static void give_info(const struct fake_call *call)
{
    cr_assert_str_eq(call->name, "MPI_Session_get_info");
    *(MPI_Info *)(uintptr_t)call->arguments[1] = (MPI_Info)0x9c000011;
}

static void give_session(const struct fake_call *call)
{
    look_inside(call);
    *(MPI_Session *)(uintptr_t)call->arguments[2] = next_session;
    fake.hook = give_info;
}

static MPI_Session begin_session(int handle)
{
    MPI_Session session = MPI_SESSION_NULL;
    next_session = (MPI_Session)handle;
    fake.rank = 1;
    fake.hook = give_session;
    cr_assert_eq(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session), MPI_SUCCESS);
    cr_assert_str_eq(inside.function, "MPI_Session_init");
    cr_assert_eq(session, next_session);
    return session;
}

static uint32_t state_during;

static void look_at_state(const struct fake_call *call)
{
    look_inside(call);
    state_during = mpilens_process.state;
}

static void end_session(MPI_Session session)
{
    fake.hook = look_at_state;
    cr_assert_eq(MPI_Session_finalize(&session), MPI_SUCCESS);
    cr_assert_str_eq(inside.function, "MPI_Session_finalize");
}

static MPI_Comm from_group(int handle)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    fake.communicator = (MPI_Comm)handle;
    MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &communicator);
    return communicator;
}

Test(session, suffices)
{
    static const int ranks[] = {3, 1};
    fake.no_world = true;
    MPI_Session session = begin_session(0x38000001);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_RUNNING);
    cr_assert_eq(mpilens_process.world_rank, 1);
    cr_assert_eq(mpilens_process.world_size, 4);
    cr_assert_str_eq(mpilens_process.library_version, "fake MPI 1");
    cr_assert_not_null(shadow_datatype(MPI_INT));
    cr_assert_eq(shadow_count(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE), 1);
    cr_assert_null(shadow_communicator(MPI_COMM_WORLD));
    const struct mpilens_session *of_session = shadow_record(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE, 0);
    const struct mpilens_errhandler *errhandler = (const struct mpilens_errhandler *)(uintptr_t)of_session->errhandler;
    cr_assert_str_eq(errhandler->name, "MPI_ERRORS_RETURN");
    fake_communicator_define((MPI_Comm)0x84000002, ranks, 2, NULL, 0);
    MPI_Comm communicator = from_group(0x84000002);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert_eq(record->rank, 1);
    cr_assert_eq(record->size, 2);
    const struct mpilens_group *group = (const struct mpilens_group *)(uintptr_t)record->group;
    cr_assert_eq(group->short_ranges[0].first, 3);
    cr_assert_eq(record->errhandler, of_session->errhandler);
    fake.hook = look_inside;
    MPI_Barrier(communicator);
    cr_assert_eq(inside.thread.communicator, (uint64_t)(uintptr_t)record);
    MPI_Comm_free(&communicator);
    end_session(session);
    cr_assert_eq(state_during, MPILENS_PROCESS_FINALIZING);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_FINALIZED);
    cr_assert_eq(shadow_count(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE), 0);
    cr_assert_null(shadow_leftover());
    cr_assert_eq(fake.groups_open, 0);
}

Test(session, is_one_of_several)
{
    fake.no_world = true;
    MPI_Session first = begin_session(0x38000001);
    MPI_Session second = begin_session(0x38000002);
    cr_assert_eq(shadow_count(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE), 2);
    end_session(first);
    cr_assert_eq(state_during, MPILENS_PROCESS_RUNNING);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_RUNNING);
    MPI_Comm communicator = from_group(0x84000002);
    cr_assert_eq(shadow_communicator(communicator)->size, 4, "the second session answers");
    end_session(second);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_FINALIZED);
    cr_assert_null(shadow_communicator(communicator), "it ends with its session");
    second = begin_session(0x38000001);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_RUNNING, "MPI may be begun again");
    cr_assert_not_null(shadow_communicator(from_group(0x84000002)));
    end_session(second);
}

Test(session, may_last_longer_than_the_world_and_shorter)
{
    MPI_Session session = begin_session(0x38000001);
    begin_mpi();
    fake.hook = look_at_state;
    MPI_Comm of_world, of_session = from_group(0x84000003);
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Comm_dup(MPI_COMM_WORLD, &of_world);
    cr_assert_eq(shadow_count(MPILENS_TABLE_COMMUNICATORS, MPILENS_OBJECT_LIVE), 4);
    MPI_Comm_free(&of_session);
    end_session(session);
    cr_assert_eq(state_during, MPILENS_PROCESS_RUNNING);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_RUNNING);
    cr_assert_not_null(shadow_communicator(of_world), "it is the world's");
    MPI_Comm_free(&of_world);
    session = begin_session(0x38000002);
    fake.hook = look_at_state;
    MPI_Finalize();
    cr_assert_eq(state_during, MPILENS_PROCESS_RUNNING);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_RUNNING);
    fake.no_world = true;
    of_session = from_group(0x84000003);
    cr_assert_eq(shadow_communicator(of_session)->size, 4);
    MPI_Comm_free(&of_session);
    end_session(session);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_FINALIZED);
    cr_assert_null(shadow_leftover());
}

Test(session, that_fails_is_none)
{
    MPI_Session session = MPI_SESSION_NULL;
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_INITIALIZING);
    cr_assert_eq(shadow_count(MPILENS_TABLE_SESSIONS, 0), 0);
    fake.no_world = true;
    session = begin_session(0x38000001);
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    MPI_Session_finalize(&session);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_RUNNING);
    cr_assert_eq(shadow_count(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE), 1);
    cr_assert_eq(shadow_communicator(from_group(0x84000002))->size, 4, "it can be asked still");
}

static bool tables_are_shared(void)
{
    return mpilens__threads->requests.shared;
}

Test(session, may_be_used_by_several_threads)
{
    int provided;
    fake.thread_level = MPI_THREAD_FUNNELED;
    MPI_Session session = begin_session(0x38000001);
    cr_assert(tables_are_shared());
    cr_assert_eq(mpilens_process.thread_level, 3);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    cr_assert(tables_are_shared(), "whatever the world is used for");
    end_session(session);
    cr_assert(tables_are_shared());
}

Test(session, that_says_it_has_one_thread_is_believed)
{
    fake.no_world = true;
    fake.info_value = "MPI_THREAD_SINGLE";
    begin_session(0x38000001);
    cr_assert_not(tables_are_shared());
    cr_assert_eq(mpilens_process.thread_level, 0);
    const struct mpilens_session *record = shadow_record(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE, 0);
    cr_assert_eq(record->thread_level, 0);
    fake.info_value = "MPI_THREAD_MULTIPLE";
    begin_session(0x38000002);
    cr_assert(tables_are_shared());
    cr_assert_eq(mpilens_process.thread_level, 3);
}
