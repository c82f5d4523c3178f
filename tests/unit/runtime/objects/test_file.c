/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files: their records, operations on them, and their ends.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(file, .init = begin_mpi);

static char buffer[64];

#define HANDLE ((MPI_File)(uintptr_t)0x5555000010)

__attribute__((noinline)) static MPI_File open_as(MPI_File handle, const char *name, int mode)
{
    MPI_File file = MPI_FILE_NULL;
    fake.file = handle;
    MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    return file;
}

Test(file, says_what_it_is_and_where_it_comes_from)
{
    fake.hook = look_inside;
    MPI_File file = open_as(HANDLE, "results/data.bin", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    cr_assert_str_eq(inside.function, "MPI_File_open");
    cr_assert_eq(inside.thread.object, 0);
    cr_assert_eq(inside.thread.communicator, address_of(shadow_communicator(MPI_COMM_WORLD)));
    const struct mpilens_file *record = shadow_file(file);
    cr_assert_eq(record->communicator, address_of(shadow_communicator(MPI_COMM_WORLD)));
    cr_assert_eq(record->mode, MPILENS_FILE_CREATE | MPILENS_FILE_READ_WRITE | MPILENS_FILE_DELETE_ON_CLOSE);
    cr_assert_str_eq(record->name, "results/data.bin");
    cr_assert_str_eq(record->view_representation, "native");
    cr_assert_eq(record->view_etype, address_of(shadow_datatype(MPI_BYTE)));
    cr_assert_eq(record->view_filetype, address_of(shadow_datatype(MPI_BYTE)));
    cr_assert_eq(record->view_displacement, 0);
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_File_open");
    cr_assert(site_is_in(record->site, CODE_OF(open_as)));
    MPI_File_set_atomicity(file, 1);
    cr_assert_eq(record->atomicity, 1);
    fake.hook = look_inside;
    MPI_File_close(&file);
    cr_assert_str_eq(inside.function, "MPI_File_close");
    cr_assert_eq(inside.thread.object, address_of(record));
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    end_mpi();
}

Test(file, translates_every_mode)
{
    static const struct {
        int mode;
        uint32_t flag;
    } modes[] = {
        {MPI_MODE_CREATE, MPILENS_FILE_CREATE},           {MPI_MODE_RDONLY, MPILENS_FILE_READ_ONLY},
        {MPI_MODE_WRONLY, MPILENS_FILE_WRITE_ONLY},       {MPI_MODE_RDWR, MPILENS_FILE_READ_WRITE},
        {MPI_MODE_EXCL, MPILENS_FILE_EXCLUSIVE},          {MPI_MODE_DELETE_ON_CLOSE, MPILENS_FILE_DELETE_ON_CLOSE},
        {MPI_MODE_UNIQUE_OPEN, MPILENS_FILE_UNIQUE_OPEN}, {MPI_MODE_SEQUENTIAL, MPILENS_FILE_SEQUENTIAL},
        {MPI_MODE_APPEND, MPILENS_FILE_APPEND},
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        MPI_File file = open_as(HANDLE, "data", modes[i].mode);
        cr_assert_eq(shadow_file(file)->mode, modes[i].flag);
        MPI_File_close(&file);
    }
    end_mpi();
}

Test(file, with_a_long_name_keeps_the_end_of_it)
{
    char name[1000];
    memset(name, 'a', sizeof name);
    memcpy(name + sizeof name - 6, "/last", 6);
    MPI_File file = open_as(HANDLE, name, MPI_MODE_RDONLY);
    const struct mpilens_file *record = shadow_file(file);
    cr_assert_eq(strlen(record->name), sizeof record->name - 1);
    cr_assert_str_eq(record->name, name + sizeof name - sizeof record->name);
    MPI_File_close(&file);
    end_mpi();
}

Test(file, that_could_not_be_opened_is_none)
{
    fake.error = FAKE_ERROR(MPI_ERR_NO_SUCH_FILE);
    open_as(HANDLE, "none", MPI_MODE_RDONLY);
    open_as(MPI_FILE_NULL, "none", MPI_MODE_RDONLY);
    cr_assert_eq(shadow_count(MPILENS_TABLE_FILES, 0), 0);
    MPI_File file = open_as(HANDLE, "data", MPI_MODE_RDONLY);
    MPI_File same = file;
    CHECK_REFUSED(MPI_File_close(&same), MPI_ERR_IO);
    cr_assert_not_null(shadow_file(file), "its close has failed");
    MPI_File_close(&file);
    MPI_File_delete("data", MPI_INFO_NULL);
    end_mpi();
}

Test(file, whose_last_data_could_not_be_written_is_closed_all_the_same)
{
    MPI_File file = open_as(HANDLE, "data", MPI_MODE_WRONLY);
    fake.error = FAKE_ERROR(MPI_ERR_NO_SPACE);
    cr_assert_eq(MPI_File_close(&file), FAKE_ERROR(MPI_ERR_NO_SPACE));
    cr_assert_eq(file, MPI_FILE_NULL);
    end_mpi();
}

Test(file, whose_handle_is_given_again_was_closed_by_a_call_that_was_not_seen)
{
    MPI_Errhandler errhandler;
    fake.object = (int)0x94000001;
    MPI_File_create_errhandler(NULL, &errhandler);
    const struct mpilens_errhandler *handler = shadow_errhandler(errhandler);
    MPI_File file = open_as(HANDLE, "first", MPI_MODE_RDONLY);
    MPI_File_set_errhandler(file, errhandler);
    const struct mpilens_file *first = shadow_file(file);
    uint32_t users = handler->users;
    open_as(HANDLE, "second", MPI_MODE_RDONLY);
    cr_assert_eq(first->state, MPILENS_OBJECT_FREED);
    cr_assert_eq(first->errhandler, 0);
    cr_assert_eq(handler->users, users - 1);
    cr_assert_str_eq(shadow_file(file)->name, "second");
    MPI_File_close(&file);
    MPI_Errhandler_free(&errhandler);
    end_mpi();
}

Test(file, has_the_view_that_was_set)
{
    MPI_File file = open_as(HANDLE, "data", MPI_MODE_RDWR);
    const struct mpilens_file *record = shadow_file(file);
    MPI_Datatype type, etype = MPI_INT, filetype;
    char representation[32];
    fake.datatype = (MPI_Datatype)0xcc000001;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_File_set_view(file, 64, MPI_INT, type, "external32", MPI_INFO_NULL);
    const uint64_t type_record = address_of(shadow_datatype(type));
    MPI_Type_free(&type);
    cr_assert_eq(record->view_displacement, 64);
    cr_assert_eq(record->view_etype, address_of(shadow_datatype(MPI_INT)));
    cr_assert_eq(record->view_filetype, type_record);
    cr_assert_str_eq(record->view_representation, "external32");
    fake.error = FAKE_ERROR(MPI_ERR_IO);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    cr_assert_eq(record->view_displacement, 64, "it has failed");
    /* The types given back need not be the ones set, and are the application's to free. */
    MPI_Offset displacement;
    fake.datatype = (MPI_Datatype)0xcc000002;
    MPI_File_get_view(file, &displacement, &etype, &filetype, representation);
    cr_assert_eq(record->view_filetype, type_record);
    cr_assert_not_null(shadow_datatype((MPI_Datatype)0xcc000002));
    cr_assert_str_eq(shadow_function_name(shadow_datatype((MPI_Datatype)0xcc000002)->function), "MPI_File_get_view");
    while (shadow_datatype((MPI_Datatype)0xcc000002)) {
        filetype = (MPI_Datatype)0xcc000002;
        MPI_Type_free(&filetype);
    }
    MPI_File_close(&file);
    end_mpi();
}

Test(file, is_shown_in_the_calls_that_work_on_it)
{
    MPI_File file = open_as(HANDLE, "data", MPI_MODE_RDWR);
    const struct mpilens_file *record = shadow_file(file);
    fake.hook = look_inside;
    MPI_File_write_ordered(file, buffer, 8, MPI_INT, MPI_STATUS_IGNORE);
    cr_assert_str_eq(inside.function, "MPI_File_write_ordered");
    cr_assert_eq(inside.thread.object, address_of(record));
    cr_assert_eq(inside.thread.communicator, record->communicator);
    cr_assert_eq(inside.thread.operation, 0);
    MPI_File_read_at_all(file, 8, buffer, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read(file, buffer, 8, MPI_INT, MPI_STATUS_IGNORE);
    cr_assert_eq(record->operations, 3);
    fake.hook = look_inside;
    MPI_File_sync(file);
    cr_assert_str_eq(inside.function, "MPI_File_sync");
    cr_assert_eq(inside.thread.object, address_of(record));
    MPI_File_preallocate(file, 64);
    MPI_File_set_size(file, 64);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    cr_assert_eq(record->operations, 3);
    MPI_File_close(&file);
    end_mpi();
}

Test(file, has_operations_with_requests)
{
    MPI_File file = open_as(HANDLE, "data", MPI_MODE_RDWR);
    const struct mpilens_file *record = shadow_file(file);
    MPI_Request requests[2];
    fake.hook = look_inside;
    MPI_File_iwrite_at(file, 4096, buffer, 8, MPI_INT, &requests[0]);
    cr_assert_eq(inside.thread.object, address_of(record));
    cr_assert_eq(inside.operation.state, MPILENS_OPERATION_PENDING);
    MPI_File_iread_shared(file, buffer, 4, MPI_CHAR, &requests[1]);
    const struct mpilens_operation *first = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_eq(first->flags, MPILENS_OPERATION_FILE);
    cr_assert_eq(first->object, address_of(record));
    cr_assert_eq(first->communicator, record->communicator);
    cr_assert_eq(first->actual_bytes, 4096);
    cr_assert_eq(first->count, 8);
    cr_assert_eq(first->datatype, address_of(shadow_datatype(MPI_INT)));
    cr_assert_eq((int64_t)shadow_operation(MPILENS_OPERATION_PENDING, 1)->actual_bytes, -1);
    cr_assert_eq(record->users, 2);
    cr_assert_eq(record->operations, 2);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    cr_assert_eq(record->users, 0);
    fake.error = FAKE_ERROR(MPI_ERR_IO);
    MPI_File_iwrite(file, buffer, 8, MPI_INT, &requests[0]);
    cr_assert_eq(record->users, 0);
    MPI_File_close(&file);
    end_mpi();
}

__attribute__((noinline)) static void begin_split(MPI_File file)
{
    MPI_File_write_all_begin(file, buffer, 8, MPI_INT);
    cr_assert_eq(shadow_file(file)->operations > 0, 1);
}

Test(file, has_one_split_collective_at_a_time)
{
    MPI_File file = open_as(HANDLE, "data", MPI_MODE_RDWR);
    const struct mpilens_file *record = shadow_file(file);
    fake.error = FAKE_ERROR(MPI_ERR_IO);
    begin_split(file);
    cr_assert_eq(record->split_collective, 0, "it has failed");
    begin_split(file);
    cr_assert_str_eq(shadow_function_name(record->split_collective), "MPI_File_write_all_begin");
    cr_assert(site_is_in(record->split_site, CODE_OF(begin_split)));
    cr_assert_eq(shadow_live_operations(), 0, "it has no request");
    fake.hook = look_inside;
    MPI_File_write_all_end(file, buffer, MPI_STATUS_IGNORE);
    cr_assert_str_eq(inside.function, "MPI_File_write_all_end");
    cr_assert_eq(inside.thread.object, address_of(record));
    cr_assert_eq(record->split_collective, 0);
    MPI_File_read_ordered_begin(file, buffer, 8, MPI_INT);
    fake.error = FAKE_ERROR(MPI_ERR_IO);
    MPI_File_read_ordered_end(file, buffer, MPI_STATUS_IGNORE);
    cr_assert_eq(record->split_collective, 0, "over, though the transfer has failed");
    MPI_File_close(&file);
    end_mpi();
}

Test(file, stays_known_to_its_operations_when_it_is_closed)
{
    MPI_File file = open_as(HANDLE, "first", MPI_MODE_RDWR);
    const struct mpilens_file *record = shadow_file(file);
    MPI_Request request;
    MPI_File_iread(file, buffer, 4, MPI_CHAR, &request);
    MPI_File_close(&file);
    for (int i = 0; i < 200; i++) {
        file = open_as(HANDLE, "another", MPI_MODE_RDWR);
        MPI_File_close(&file);
    }
    cr_assert_str_eq(record->name, "first", "its record is not used again");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}
