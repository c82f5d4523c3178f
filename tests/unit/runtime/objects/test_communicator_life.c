/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators from their beginning to their end: pending, used, being freed, freed and still referred to.
 */
#include "constructors.h"
#include "inside.h"
#include "memory/memory.h"

#include <criterion/criterion.h>

TestSuite(communicator_life, .init = begin_mpi);

static char buffer[64];

Test(communicator_life, that_is_not_complete_is_pending_until_it_is_used)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Request request;
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Comm_idup(MPI_COMM_WORLD, &communicator, &request);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert(record->flags & MPILENS_COMMUNICATOR_PENDING);
    cr_assert_eq(record->size, 4);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 1, MPI_INT, 0, 0, communicator);
    cr_assert_eq(record->flags & MPILENS_COMMUNICATOR_PENDING, 0);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(communicator_life, that_is_not_complete_is_bound_to_its_request)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Request request;
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Comm_idup(MPI_COMM_WORLD, &communicator, &request);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert(operation->flags & MPILENS_OPERATION_COMMUNICATOR);
    cr_assert_eq(operation->object, (uint64_t)(uintptr_t)record);
    communicator = MPI_COMM_NULL; /* a binding's temporary variable: nobody reads it again */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(record->flags & MPILENS_COMMUNICATOR_PENDING, 0);
    communicator = (MPI_Comm)0x84000002;
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(communicator_life, of_a_parent_that_nobody_saw_learns_its_group_when_it_is_used)
{
    static const int ranks[] = {2, 1, 0};
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Request request;
    fake_communicator_define((MPI_Comm)0x84000002, ranks, 3, NULL, 0);
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Comm_idup((MPI_Comm)0x84000077, &communicator, &request);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert_eq(record->group, 0, "nothing may be asked yet");
    cr_assert_eq(record->size, -1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(communicator);
    cr_assert_eq(record->size, 3);
    cr_assert_eq(record->rank, 1);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(communicator_life, stays_while_it_is_disconnected)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    const uint64_t record = (uint64_t)(uintptr_t)shadow_communicator(communicator);
    fake.hook = look_inside;
    MPI_Comm_disconnect(&communicator);
    cr_assert_str_eq(inside.function, "MPI_Comm_disconnect");
    cr_assert_eq(inside.thread.communicator, record);
    cr_assert_eq(shadow_count(MPILENS_TABLE_COMMUNICATORS, MPILENS_OBJECT_LIVE), 2);
    end_mpi();
}

Test(communicator_life, lives_on_when_its_free_fails)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    fake.error = FAKE_ERROR(MPI_ERR_OTHER); /* of a delete callback */
    fake.error_is_early = true;
    MPI_Comm_free(&communicator);
    cr_assert_not_null(shadow_communicator((MPI_Comm)0x84000002));
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    MPI_Comm_free(&communicator);
    cr_assert_eq(communicator, MPI_COMM_NULL);
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000002), "the handle says that it is gone");
    end_mpi();
}

Test(communicator_life, of_any_call_on_it_is_shown)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    fake.hook = look_inside;
    MPI_Comm_set_info(communicator, MPI_INFO_NULL);
    cr_assert_eq(inside.thread.communicator, (uint64_t)(uintptr_t)shadow_communicator(communicator));
    MPI_Comm_free(&communicator);
    end_mpi();
}

static MPI_Comm other = MPI_COMM_NULL;
static MPI_Datatype other_type = MPI_DATATYPE_NULL;

static void copy_attribute(const struct fake_call *call)
{
    other = duplicate_as(MPI_COMM_SELF, 0x84000003);
    fake.datatype = (MPI_Datatype)0xcc000001;
    MPI_Type_contiguous(2, MPI_INT, &other_type);
    fake.communicator = (MPI_Comm)0x84000002; /* result of the outer call */
    look_inside(call);
}

Test(communicator_life, may_be_made_by_a_callback_while_another_is_made)
{
    fake.hook = copy_attribute;
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    cr_assert_str_eq(inside.function, "MPI_Comm_dup", "the outer call is shown again");
    cr_assert_eq(communicator, (MPI_Comm)0x84000002);
    cr_assert_eq(shadow_communicator(communicator)->size, 4);
    cr_assert_eq(shadow_communicator(other)->size, 1);
    cr_assert_neq(shadow_communicator(other)->unique_id, shadow_communicator(communicator)->unique_id);
    cr_assert_not_null(shadow_datatype(other_type));
    MPI_Comm_free(&communicator);
    MPI_Comm_free(&other);
    MPI_Type_free(&other_type);
    end_mpi();
}

static const struct mpilens_communicator *being_freed;

/* Other communicators with the same handle, until one has the same record or none will. */
static void use_many_records(const struct fake_call *call)
{
    (void)call;
    other = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    for (int i = 0; i < 1000 && shadow_communicator(other) != being_freed; i++) {
        MPI_Comm_free(&other);
        other = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    }
    volatile int error = MPI_Send(buffer, 1, MPI_INT, 2, 0, other); /* not the last thing: no jump */
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(communicator_life, whose_free_lasts_keeps_its_record)
{
    for (int i = 0; i < 5; i++) { /* another thread, many times as fast */
        MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        being_freed = shadow_communicator(communicator);
        fake.hook = use_many_records;
        MPI_Comm_free(&communicator);
        cr_assert_not_null(shadow_communicator((MPI_Comm)0x84000002), "the last one lives");
        MPI_Send(buffer, 1, MPI_INT, 2, 0, other);
        cr_assert_eq(shadow_sent(other, 2), 2);
        MPI_Comm_free(&other);
    }
    end_mpi();
}

Test(communicator_life, stays_known_to_windows_and_files)
{
    struct mpilens_window *window = table_take_one(MPILENS_TABLE_WINDOWS);
    struct mpilens_file *file = table_take_one(MPILENS_TABLE_FILES);
    MPI_Comm of_window = duplicate_as(MPI_COMM_WORLD, 0x84000002), of_file = duplicate_as(MPI_COMM_WORLD, 0x84000003);
    const struct mpilens_communicator *records[] = {shadow_communicator(of_window), shadow_communicator(of_file)};
    const uint64_t ids[] = {records[0]->unique_id, records[1]->unique_id};
    window->communicator = (uint64_t)(uintptr_t)records[0];
    file->communicator = (uint64_t)(uintptr_t)records[1];
    window->state = file->state = MPILENS_OBJECT_LIVE;
    MPI_Comm_free(&of_window);
    MPI_Comm_free(&of_file);
    for (int i = 0; i < 1000; i++) {
        MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        MPI_Comm_free(&communicator);
    }
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(records[i]->state, MPILENS_OBJECT_FREED);
        cr_assert_eq(records[i]->unique_id, ids[i]);
    }
    cr_assert_eq(file->communicator, (uint64_t)(uintptr_t)records[1]);
    window->state = file->state = MPILENS_OBJECT_FREED;
    for (int i = 0; i < 1000; i++) {
        MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        MPI_Comm_free(&communicator);
    }
    cr_assert_eq(window->communicator, 0, "what is over forgets");
    end_mpi();
}

static void free_another(const struct fake_call *call)
{
    MPI_Comm_free(&other);
    MPI_Barrier(MPI_COMM_WORLD);
    look_inside(call);
    cr_assert_str_eq(inside.function, "MPI_Comm_free");
}

Test(communicator_life, may_be_freed_by_a_callback_in_the_free_of_another)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    other = duplicate_as(MPI_COMM_WORLD, 0x84000003);
    const uint64_t record = (uint64_t)(uintptr_t)shadow_communicator(communicator);
    fake.hook = free_another;
    MPI_Comm_free(&communicator);
    cr_assert_eq(inside.thread.communicator, record);
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000002));
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000003));
    cr_assert_eq(shadow_count(MPILENS_TABLE_COMMUNICATORS, MPILENS_OBJECT_FREED), 2);
    end_mpi();
}

static void take_the_handle(const struct fake_call *call)
{
    (void)call;
    other = duplicate_as(MPI_COMM_WORLD, 0x84000002);
}

Test(communicator_life, whose_handle_is_used_again_before_its_free_returns_is_another)
{
    for (int i = 0; i < 300; i++) {
        MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        fake.hook = take_the_handle;
        MPI_Comm_free(&communicator);
        cr_assert_not_null(shadow_communicator((MPI_Comm)0x84000002), "the new one lives");
        MPI_Comm_free(&other);
        cr_assert_null(shadow_communicator((MPI_Comm)0x84000002));
    }
    end_mpi();
}

Test(communicator_life, stays_known_to_its_operations_when_its_handle_is_used_again)
{
    MPI_Request request;
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    const uint64_t id = record->unique_id;
    MPI_Irecv(buffer, 1, MPI_INT, 3, 7, communicator, &request);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    MPI_Comm_free(&communicator);
    for (int i = 0; i < 3000; i++) {
        communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        MPI_Send(buffer, 1, MPI_INT, 2, i, communicator);
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->communicator, (uint64_t)(uintptr_t)record);
        cr_assert_eq(record->unique_id, id);
        cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
        MPI_Comm_free(&communicator);
    }
    cr_assert_lt(shadow_count(MPILENS_TABLE_COMMUNICATORS, 0), 300, "records are used again");
    cr_assert_lt(shadow_count(MPILENS_TABLE_CHANNELS, 0), 1000);
    /* An operation that is over names its own communicator or none. */
    const struct mpilens_operation *over;
    for (size_t i = 0; (over = shadow_record(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED, i)); i++) {
        const struct mpilens_communicator *its = (const struct mpilens_communicator *)(uintptr_t)over->communicator;
        cr_assert(!its || its->created <= over->posted_time, "it names a communicator that was made later");
    }
    fake.status = fake_status(3, 7, 4, false);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    end_mpi();
}

Test(communicator_life, stays_known_to_its_messages)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
    const uint64_t id = shadow_communicator(communicator)->unique_id;
    MPI_Message message;
    fake.message = (MPI_Message)0x6c000044;
    fake.status = fake_status(2, 9, 33, false);
    MPI_Mprobe(2, 9, communicator, &message, MPI_STATUS_IGNORE);
    MPI_Comm_free(&communicator);
    for (int i = 0; i < 1000; i++) {
        communicator = duplicate_as(MPI_COMM_WORLD, 0x84000002);
        MPI_Comm_free(&communicator);
    }
    const struct mpilens_message *record = shadow_record(MPILENS_TABLE_MESSAGES, 0, 0);
    cr_assert_eq(((const struct mpilens_communicator *)(uintptr_t)record->communicator)->unique_id, id);
    MPI_Mrecv(buffer, 40, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    end_mpi();
}
