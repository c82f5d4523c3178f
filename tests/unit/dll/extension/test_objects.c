/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects of every kind.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(objects, .init = create_job_with_objects, .fini = close_job);

/* Goes to the object of this kind and handle. */
static struct mpilens_object_information go_to(int kind, uint64_t handle)
{
    struct mpilens_object_information object;
    memset(&object, 0x77, sizeof object);
    object.struct_size = sizeof object;
    cr_assert_eq(mpilens_setup_object_iterator(opened.process, kind), mqs_ok);
    while (mpilens_next_object(opened.process, &object) == mqs_ok)
        if (object.handle == handle)
            return object;
    cr_assert(false, "no object 0x%lx", (unsigned long)handle);
    return object;
}

static size_t count_objects(int kind)
{
    size_t count = 0;
    struct mpilens_object_information object = {.struct_size = sizeof object};
    cr_assert_eq(mpilens_setup_object_iterator(opened.process, kind), mqs_ok);
    while (mpilens_next_object(opened.process, &object) == mqs_ok)
        count++;
    return count;
}

Test(objects, of_every_kind)
{
    static const struct {
        int kind;
        size_t count;
    } expected[] = {
        {MPILENS_OBJECT_COMMUNICATOR, 5}, {MPILENS_OBJECT_GROUP, 1},      {MPILENS_OBJECT_DATATYPE, 2},
        {MPILENS_OBJECT_OP, 2},           {MPILENS_OBJECT_ERRHANDLER, 1}, {MPILENS_OBJECT_INFO, 1},
        {MPILENS_OBJECT_KEYVAL, 2},       {MPILENS_OBJECT_SESSION, 1},    {MPILENS_OBJECT_WINDOW, 1},
        {MPILENS_OBJECT_FILE, 1},         {MPILENS_OBJECT_MESSAGE, 0},    {MPILENS_OBJECT_ATTRIBUTE, 1},
    };
    open_job();
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_assert_eq(count_objects(expected[i].kind), expected[i].count, "kind %d", expected[i].kind);
    const int none[] = {MPILENS_OBJECT_NONE, MPILENS_OBJECT_KIND_COUNT, -1, 1000};
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(mpilens_setup_object_iterator(opened.process, none[i]), MPILENS_ERROR_BAD_ARGUMENT);
}

Test(objects, have_what_all_have)
{
    open_job();
    struct mpilens_object_information object = go_to(MPILENS_OBJECT_DATATYPE, 0x8c000001);
    cr_assert_eq(object.kind, MPILENS_OBJECT_DATATYPE);
    cr_assert_str_eq(object.function, "MPI_Type_vector");
    cr_assert_eq(object.site, 0x401600);
    cr_assert_eq(object.serial, 1);
    cr_assert_eq(object.predefined, 0);
    cr_assert_eq(object.communicator_id, 0);
    object = go_to(MPILENS_OBJECT_OP, 0x58000003);
    cr_assert_eq(object.predefined, 1);
    cr_assert_str_eq(object.name, "MPI_SUM");
    object = go_to(MPILENS_OBJECT_KEYVAL, 0xa4400000);
    cr_assert_eq(object.freed, 1);
    cr_assert_eq(object.users, 0);
    cr_assert_eq(go_to(MPILENS_OBJECT_COMMUNICATOR, 0x44000000).communicator_id, 100);
}

Test(objects, come_in_the_order_of_their_serials)
{
    open_job();
    struct mpilens_object_information object = {.struct_size = sizeof object};
    cr_assert_eq(mpilens_setup_object_iterator(opened.process, MPILENS_OBJECT_KEYVAL), mqs_ok);
    for (uint32_t serial = 1; serial <= 2; serial++) {
        cr_assert_eq(mpilens_next_object(opened.process, &object), mqs_ok);
        cr_assert_eq(object.serial, serial);
    }
}

Test(objects, collective_calls_of_a_file)
{
    open_job();
    go_to(MPILENS_OBJECT_FILE, 0x5555000);
    struct mpilens_file_information file = {.struct_size = sizeof file};
    struct mpilens_collective_information call = {.struct_size = sizeof call};
    cr_assert_eq(mpilens_get_file(opened.process, &file), mqs_ok);
    cr_assert_eq(file.collective_calls, 2);
    cr_assert_eq(mpilens_setup_object_collective_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_object_collective(opened.process, &call), mqs_ok);
    cr_assert_eq(call.serial, 1);
    cr_assert_eq(call.site, 0x402400);
    cr_assert_eq(call.active, 0);
    cr_assert_eq(call.count, -1);
    cr_assert_eq(mpilens_next_object_collective(opened.process, &call), mqs_ok);
    cr_assert_eq(call.serial, 2);
    cr_assert_eq(call.active, 1);
    cr_assert_str_eq(call.function, file.split_collective);
    cr_assert_eq(mpilens_next_object_collective(opened.process, &call), mqs_end_of_list);
    go_to(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mpilens_setup_object_collective_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_object_collective(opened.process, &call), mqs_end_of_list);
    go_to(MPILENS_OBJECT_COMMUNICATOR, 0x44000000);
    cr_assert_eq(mpilens_setup_object_collective_iterator(opened.process), MPILENS_ERROR_NO_CURRENT);
    cr_assert_eq(mpilens_next_object_collective(opened.process, &call), MPILENS_ERROR_NO_CURRENT);
}

Test(objects, window)
{
    open_job();
    struct mpilens_object_information object = go_to(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_str_eq(object.name, "halo");
    cr_assert_eq(object.users, 1);
    struct mpilens_window_information window = {.struct_size = sizeof window};
    cr_assert_eq(mpilens_get_window(opened.process, &window), mqs_ok);
    cr_assert_eq(window.id, 555);
    cr_assert_eq(window.communicator_id, object.communicator_id);
    cr_assert_neq(window.communicator_id, 0);
    cr_assert_eq(window.flavor, MPILENS_WINDOW_CREATE);
    cr_assert_eq(window.access_epoch, MPILENS_EPOCH_LOCK);
    cr_assert_eq(window.bytes, 4096);
    cr_assert_eq(window.displacement_unit, 8);
    cr_assert_eq(window.operations_since, 3);
    cr_assert_str_eq(window.synchronization, "MPI_Win_lock");
    cr_assert_eq(window.synchronization_site, 0x402000);
    cr_assert_eq(window.lock_count, 2);
    cr_assert_eq(window.access_group_size, 1);
    cr_assert_eq(window.exposure_group_size, -1);
    cr_assert_eq(window.errhandler, 0x94000001);
    struct mpilens_window_lock_information locks[3] = {{.struct_size = sizeof locks[0]}};
    size_t count = 99;
    cr_assert_eq(mpilens_get_window_locks(opened.process, locks, 3, &count), mqs_ok);
    cr_assert_eq(count, 2);
    cr_assert_eq(locks[0].target_local, 0);
    cr_assert_eq(locks[0].target_world, 3);
    cr_assert_eq(locks[0].type, MPILENS_LOCK_EXCLUSIVE);
    cr_assert_eq(locks[1].struct_size, sizeof locks[0]);
    cr_assert_eq(locks[1].target_world, 1);
    cr_assert_eq(locks[1].locked, 890);
    cr_assert_eq(mpilens_get_window_locks(opened.process, locks, 1, &count), mqs_ok);
    cr_assert_eq(count, 1);
    int ranks[1] = {-5};
    cr_assert_eq(mpilens_get_window_group(opened.process, 0, ranks), mqs_ok);
    cr_assert_eq(ranks[0], 3);
    cr_assert_eq(mpilens_get_window_group(opened.process, 1, ranks), mqs_no_information);
    struct mpilens_file_information file = {.struct_size = sizeof file};
    cr_assert_eq(mpilens_get_file(opened.process, &file), MPILENS_ERROR_NO_CURRENT);
}

Test(objects, window_with_hostile_locks)
{
    struct fake_target *target = opened.job.target;
    const uint32_t counts[] = {UINT32_MAX, 1u << 19, 100000};
    struct mpilens_window_lock_information lock = {.struct_size = sizeof lock};
    size_t count = 99;
    open_job();
    for (size_t i = 0; i < 3; i++) {
        fake_target_put_field(target, objects.window, MPILENS_FIELD_window_lock_count, counts[i]);
        cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
        go_to(MPILENS_OBJECT_WINDOW, 0xa0000001);
        cr_assert_geq(mpilens_get_window_locks(opened.process, &lock, 1, &count), mqs_first_user_code);
        cr_assert_eq(count, 99);
    }
    fake_target_put_field(target, objects.window, MPILENS_FIELD_window_lock_count, 2);
    fake_target_put_field(target, objects.window, MPILENS_FIELD_window_access_group, objects.file);
    fake_target_put_field(target, objects.window, MPILENS_FIELD_window_communicator, objects.file);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    struct mpilens_window_information window = {.struct_size = sizeof window};
    go_to(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mpilens_get_window(opened.process, &window), mqs_ok);
    cr_assert_eq(window.access_group_size, -1);
    cr_assert_eq(window.communicator_id, 0);
    cr_assert_eq(mpilens_get_window_locks(opened.process, &lock, 1, &count), mqs_ok);
    cr_assert_eq(lock.target_world, -1);
}

Test(objects, file)
{
    open_job();
    struct mpilens_object_information object = go_to(MPILENS_OBJECT_FILE, 0x5555000);
    cr_assert_str_eq(object.name, "out/restart.dat");
    struct mpilens_file_information file = {.struct_size = sizeof file};
    cr_assert_eq(mpilens_get_file(opened.process, &file), mqs_ok);
    cr_assert_eq(file.id, 777);
    cr_assert_eq(file.communicator_id, 100);
    cr_assert_eq(file.amode, MPILENS_FILE_CREATE | MPILENS_FILE_READ_WRITE);
    cr_assert_eq(file.view_displacement, 64);
    cr_assert_str_eq(file.view_etype, "MPI_INT");
    cr_assert_str_eq(file.view_filetype, "MPI_Type_vector 0x8c000001");
    cr_assert_str_eq(file.view_representation, "native");
    cr_assert_str_eq(file.split_collective, "MPI_File_read_all_begin");
    cr_assert_eq(file.split_collective_site, 0x402300);
    cr_assert_eq(file.operations, 12);
}

Test(objects, what_only_some_kinds_have)
{
    open_job();
    go_to(MPILENS_OBJECT_OP, 0x98000001);
    struct mpilens_op_information op = {.struct_size = sizeof op};
    cr_assert_eq(mpilens_get_op(opened.process, &op), mqs_ok);
    cr_assert_eq(op.user_function, 0x401700);
    go_to(MPILENS_OBJECT_ERRHANDLER, 0x94000001);
    struct mpilens_errhandler_information errhandler = {.struct_size = sizeof errhandler};
    cr_assert_eq(mpilens_get_errhandler(opened.process, &errhandler), mqs_ok);
    cr_assert_eq(errhandler.attachable, MPILENS_ATTACHABLE_COMMUNICATOR);
    go_to(MPILENS_OBJECT_KEYVAL, 0xa4400001);
    struct mpilens_keyval_information keyval = {.struct_size = sizeof keyval};
    cr_assert_eq(mpilens_get_keyval(opened.process, &keyval), mqs_ok);
    cr_assert_eq(keyval.delete_function, 0x401a00);
    cr_assert_eq(keyval.extra_state, 0x42);
    go_to(MPILENS_OBJECT_ATTRIBUTE, 0);
    struct mpilens_attribute_information attribute = {.struct_size = sizeof attribute};
    cr_assert_eq(mpilens_get_attribute(opened.process, &attribute), mqs_ok);
    cr_assert_eq(attribute.value, 0x1234);
    cr_assert_eq(attribute.keyval_serial, 2);
    cr_assert_eq(attribute.object_kind, MPILENS_OBJECT_COMMUNICATOR);
    cr_assert_neq(attribute.object_handle, 0);
    go_to(MPILENS_OBJECT_SESSION, 0x80000001);
    struct mpilens_session_information session = {.struct_size = sizeof session};
    cr_assert_eq(mpilens_get_session(opened.process, &session), mqs_ok);
    cr_assert_eq(session.thread_level, 3);
    cr_assert_eq(session.buffer_bytes, 512);
    go_to(MPILENS_OBJECT_DATATYPE, 0x8c000001);
    struct mpilens_datatype_information datatype = {.struct_size = sizeof datatype};
    cr_assert_eq(mpilens_get_datatype(opened.process, &datatype), mqs_ok);
    cr_assert_eq(datatype.size, 24);
    go_to(MPILENS_OBJECT_GROUP, 0x88000001);
    struct mpilens_group_information group = {.struct_size = sizeof group};
    cr_assert_eq(mpilens_get_group(opened.process, &group), mqs_ok);
    cr_assert_eq(group.rank, -1);
    cr_assert_eq(mpilens_get_session(opened.process, &session), MPILENS_ERROR_NO_CURRENT);
}

Test(objects, the_iterator_ends_with_its_copy)
{
    open_job();
    go_to(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    struct mpilens_object_information object = {.struct_size = sizeof object};
    struct mpilens_window_information window = {.struct_size = sizeof window};
    cr_assert_eq(mpilens_get_window(opened.process, &window), MPILENS_ERROR_NO_CURRENT);
    cr_assert_eq(mpilens_next_object(opened.process, &object), mqs_end_of_list);
}

Test(no_objects, cost_no_read)
{
    create_job();
    open_job();
    const uint64_t before = opened.debugger.reads;
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_eq(opened.debugger.reads - before, 9, "the root three times; directory and records of three tables");
    cr_assert_eq(count_objects(MPILENS_OBJECT_WINDOW), 0);
    cr_assert_eq(opened.debugger.reads - before, 9);
    close_job();
}

static uint64_t thread_address;
static bool windows_were_read;

/* Once the windows have been read, the process frees this one, uses its record for another and goes on. */
static void use_record_again(struct fake_debugger *debugger, uint64_t address, size_t bytes)
{
    if (windows_were_read) {
        fake_target_put_field(debugger->target, objects.window, MPILENS_FIELD_window_serial, 2);
        fake_target_put_field(debugger->target, thread_address, MPILENS_FIELD_thread_entered, 4242);
    }
    windows_were_read = windows_were_read || (address <= objects.window && objects.window < address + bytes);
}

Test(objects, that_become_others_while_they_are_read)
{
    const struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE, .function = objects.function.win_fence};
    thread_address = fake_target_add(opened.job.target, MPILENS_TABLE_THREADS, &thread);
    open_job();
    cr_assert_eq(count_objects(MPILENS_OBJECT_WINDOW), 1);
    opened.debugger.before_read = use_record_again;
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert(windows_were_read);
    cr_assert_eq(count_objects(MPILENS_OBJECT_WINDOW), 0, "half of each must not be shown");
    cr_assert_eq(count_objects(MPILENS_OBJECT_FILE), 1);
    opened.debugger.before_read = NULL;
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_eq(count_objects(MPILENS_OBJECT_WINDOW), 1);
}

Test(objects, communicators_with_their_groups)
{
    open_job();
    struct mpilens_communicator_information communicator = {.struct_size = sizeof communicator};
    cr_assert_eq(mpilens_get_communicator_object(opened.process, &communicator), MPILENS_ERROR_NO_CURRENT);
    go_to(MPILENS_OBJECT_COMMUNICATOR, 0x84000003);
    cr_assert_eq(mpilens_get_communicator_object(opened.process, &communicator), mqs_ok);
    cr_assert(communicator.rank == 1 && communicator.size == 2 && communicator.remote_size == 2);
    cr_assert(communicator.intercommunicator && !communicator.freed);
    cr_assert_str_eq(communicator.name, "bridge");
    cr_assert(communicator.group_serial != 0 && communicator.remote_group_serial != 0);
    cr_assert(communicator.group == 0, "the application has no handle of it");
    go_to(MPILENS_OBJECT_COMMUNICATOR, 0x44000000);
    cr_assert_eq(mpilens_get_communicator_object(opened.process, &communicator), mqs_ok);
    cr_assert(communicator.remote_group_serial == 0 && communicator.size == 4);
    go_to(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mpilens_get_communicator_object(opened.process, &communicator), MPILENS_ERROR_NO_CURRENT);
}
