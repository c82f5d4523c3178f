/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offers of sessions, and the sessions of groups and communicators.
 */
#include "constructors.h"
#include "inside.h"
#include "memory/memory.h"
#include "objects/objects.h"

#include <criterion/criterion.h>

#include <string.h>

static MPI_Session next_session;

static void give_session(const struct fake_call *call)
{
    *(MPI_Session *)(uintptr_t)call->arguments[2] = next_session;
}

static MPI_Session begin_session(int handle)
{
    MPI_Session session = MPI_SESSION_NULL;
    next_session = (MPI_Session)handle;
    fake.hook = give_session;
    cr_assert_eq(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session), MPI_SUCCESS);
    return session;
}

static const struct mpilens_session *record_of(MPI_Session session)
{
    const struct mpilens_session *record;
    for (size_t i = 0; (record = shadow_record(MPILENS_TABLE_SESSIONS, MPILENS_OBJECT_LIVE, i)); i++)
        if (record->handle == (uint32_t)session)
            return record;
    cr_assert_fail("no record");
    return NULL;
}

static MPI_Group group_of(MPI_Session session)
{
    MPI_Group group = MPI_GROUP_NULL;
    cr_assert_eq(MPI_Group_from_session_pset(session, "mpi://WORLD", &group), MPI_SUCCESS);
    return group;
}

static MPI_Comm communicator_of(MPI_Group group, int handle)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    fake.communicator = (MPI_Comm)handle;
    MPI_Comm_create_from_group(group, "tag", MPI_INFO_NULL, MPI_ERRORS_RETURN, &communicator);
    return communicator;
}

Test(session_origin, names_of_process_sets_are_kept)
{
    fake.process_sets = 3;
    const struct mpilens_texts *sets = record_of(begin_session(0x38000001))->process_sets;
    cr_assert_eq(sets->count, 3);
    const char *name = (const char *)(uintptr_t)sets->address;
    for (int i = 0; i < 3; i++, name += strlen(name) + 1)
        cr_assert_str_eq(name, fake_process_set(i));
    cr_assert_eq(address_of(name), sets->address + sets->bytes);
}

Test(session_origin, no_more_names_are_asked_for_than_are_kept)
{
    fake.process_sets = 100000;
    const struct mpilens_texts *sets = record_of(begin_session(0x38000001))->process_sets;
    cr_assert_eq(sets->count, 100000);
    cr_assert_leq(sets->bytes, TEXTS_BYTES_KEPT);
    cr_assert_gt(sets->bytes, TEXTS_BYTES_KEPT / 2);
    cr_assert_not(texts_are_complete(sets));
}

Test(session_origin, of_a_group_and_what_is_made_of_it)
{
    static const int first = 0;
    fake.no_world = true;
    begin_session(0x38000001);
    MPI_Session session = begin_session(0x38000002);
    const struct mpilens_session *record = record_of(session);
    MPI_Group group = group_of(session), part, joined;
    cr_assert_eq(shadow_group(group)->session, address_of(record));
    fake.object = (int)0x88000041;
    MPI_Group_incl(group, 1, &first, &part);
    cr_assert_eq(shadow_group(part)->session, address_of(record));
    fake.object = (int)0x88000042;
    MPI_Group_union(MPI_GROUP_EMPTY, part, &joined);
    cr_assert_eq(shadow_group(joined)->session, address_of(record), "the second one says it");
    fake.object = (int)0x88000043;
    MPI_Group_excl(MPI_GROUP_EMPTY, 0, NULL, &part);
    cr_assert_eq(shadow_group(part)->session, 0);
}

Test(session_origin, of_a_communicator_and_what_is_made_of_it)
{
    begin_mpi();
    MPI_Session session = begin_session(0x38000001);
    const struct mpilens_session *record = record_of(session);
    MPI_Comm communicator = communicator_of(group_of(session), (int)0x84000010);
    cr_assert_eq(shadow_communicator(communicator)->session, address_of(record));
    MPI_Comm duplicate = duplicate_as(communicator, (int)0x84000011);
    cr_assert_eq(shadow_communicator(duplicate)->session, address_of(record));
    MPI_Comm part = split_as(duplicate, (int)0x84000012);
    cr_assert_eq(shadow_communicator(part)->session, address_of(record));
    const struct mpilens_group *side =
        (const struct mpilens_group *)(uintptr_t)shadow_communicator(communicator)->group;
    cr_assert_eq(side->session, address_of(record));
    MPI_Group group;
    create_window_as(part, (int)0xa0000001);
    fake.object = (int)0x88000041;
    MPI_Win_get_group((MPI_Win)0xa0000001, &group);
    cr_assert_eq(shadow_group(group)->session, address_of(record));
}

Test(session_origin, of_the_world_there_is_none)
{
    begin_mpi();
    begin_session(0x38000001);
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    cr_assert_eq(shadow_group(group)->session, 0);
    cr_assert_eq(shadow_communicator(MPI_COMM_WORLD)->session, 0);
    cr_assert_eq(shadow_communicator(duplicate_as(MPI_COMM_WORLD, (int)0x84000010))->session, 0);
}

Test(session_origin, record_stays_while_something_comes_from_it)
{
    begin_mpi();
    MPI_Session session = begin_session(0x38000001);
    const struct mpilens_session *record = record_of(session);
    MPI_Group group = group_of(session);
    cr_assert_eq(record->users, 1);
    cr_assert_eq(MPI_Session_finalize(&session), MPI_SUCCESS);
    for (int i = 2; i < 2 + 3 * OBJECTS_KEPT; i++) {
        session = begin_session(0x38000000 + i);
        MPI_Session_finalize(&session);
    }
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(record->handle, 0x38000001);
    const struct mpilens_group *of_group = shadow_group(group);
    cr_assert_eq(of_group->session, address_of(record));
    MPI_Group_free(&group);
    fake.object = (int)0x88000041;
    for (int i = 0; i < 2 * OBJECTS_KEPT; i++) { /* until the group's record is used again */
        MPI_Group_incl(MPI_GROUP_EMPTY, 0, NULL, &group);
        MPI_Group_free(&group);
    }
    cr_assert_eq(record->users, 0);
    end_mpi();
}
