/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entries of info objects, and hints given to other objects.
 */
#include "constructors.h"
#include "inside.h"
#include "memory/memory.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

TestSuite(entries, .init = begin_mpi);
TestSuite(hints, .init = begin_mpi);

enum { FIRST = (int)0x9c000000 };

/* `expected` ends with a NUL more than the list, as string literals do. */
#define CHECK_TEXTS(texts, expected)                                                                                   \
    do {                                                                                                               \
        cr_assert_eq((texts)->bytes, sizeof(expected) - 1);                                                            \
        cr_assert_arr_eq((const char *)(uintptr_t)(texts)->address, expected, sizeof(expected) - 1);                   \
        cr_assert(texts_are_complete(texts));                                                                          \
    } while (0)

static MPI_Info make(int handle)
{
    MPI_Info info = MPI_INFO_NULL;
    fake.object = handle;
    MPI_Info_create(&info);
    return info;
}

static const struct mpilens_texts *entries_of(MPI_Info info)
{
    return shadow_info(info)->entries;
}

Test(entries, are_what_was_set_and_not_deleted)
{
    unsigned calls = fake.info_calls;
    MPI_Info info = make(FIRST);
    cr_assert_eq(entries_of(info)->count, 0);
    MPI_Info_set(info, "striping", "4");
    MPI_Info_set(info, "buffer", "1048576");
    fake.error = FAKE_ERROR(MPI_ERR_INFO_VALUE);
    MPI_Info_set(info, "striping", "none");
    MPI_Info_set(info, "buffer", "0");
    CHECK_TEXTS(entries_of(info), "striping\0004\0buffer\0000\0");
    fake.error = FAKE_ERROR(MPI_ERR_INFO_NOKEY);
    MPI_Info_delete(info, "striping");
    MPI_Info_delete(info, "buffer");
    CHECK_TEXTS(entries_of(info), "striping\0004\0");
    cr_assert_eq(entries_of(info)->count, 2);
    cr_assert_eq(fake.info_calls, calls, "nobody was asked");
    const struct mpilens_info *record = shadow_info(info);
    MPI_Info_free(&info);
    CHECK_TEXTS(record->entries, "striping\0004\0");
    end_mpi();
}

Test(entries, of_a_duplicate_are_its_own)
{
    MPI_Info copy, info = make(FIRST);
    MPI_Info_set(info, "a", "b");
    fake.object = FIRST + 1;
    MPI_Info_dup(info, &copy);
    MPI_Info_set(info, "c", "d");
    CHECK_TEXTS(entries_of(copy), "a\0b\0");
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    end_mpi();
}

Test(entries, of_what_the_library_has_filled_are_asked_for)
{
    MPI_Info infos[3];
    fake.info_keys = 2;
    fake.info_value = "value";
    fake.object = FIRST;
    MPI_Comm_get_info(MPI_COMM_WORLD, &infos[0]);
    CHECK_TEXTS(entries_of(infos[0]), "key 0\0value\0key 1\0value\0");
    fake.object = FIRST + 1;
    MPI_Info_create_env(0, NULL, &infos[1]);
    CHECK_TEXTS(entries_of(infos[1]), "key 0\0value\0key 1\0value\0");
    fake.object = FIRST + 2;
    MPI_Info_dup((MPI_Info)(FIRST + 3), &infos[2]); /* of one that nobody was seen to make */
    CHECK_TEXTS(entries_of(infos[2]), "key 0\0value\0key 1\0value\0");
    for (int i = 0; i < 3; i++)
        MPI_Info_free(&infos[i]);
    end_mpi();
}

Test(entries, that_are_too_many_are_counted)
{
    MPI_Info info = make(FIRST);
    char value[MPI_MAX_INFO_VAL];
    memset(value, 'v', sizeof value);
    value[sizeof value - 1] = '\0';
    fake.info_keys = 1000; /* as the library counts */
    for (int i = 0; i < 100; i++) {
        char key[8];
        snprintf(key, sizeof key, "%d", i);
        MPI_Info_set(info, key, value);
    }
    cr_assert_leq(entries_of(info)->bytes, TEXTS_BYTES_KEPT);
    cr_assert_eq(entries_of(info)->count, 2000);
    MPI_Info_free(&info);
    fake.info_value = value;
    fake.object = FIRST + 1;
    MPI_Comm_get_info(MPI_COMM_WORLD, &info);
    cr_assert_leq(entries_of(info)->bytes, TEXTS_BYTES_KEPT);
    cr_assert_gt(entries_of(info)->bytes, TEXTS_BYTES_KEPT - 2 * (int)sizeof value);
    cr_assert_eq(entries_of(info)->count, 2000);
    MPI_Info_free(&info);
    end_mpi();
}

Test(entries, give_their_memory_back)
{
    char value[MPI_MAX_INFO_VAL];
    memset(value, 'v', sizeof value);
    value[sizeof value - 1] = '\0';
    uint64_t bytes = 0;
    for (int i = 0; i < 2000; i++) {
        MPI_Info info = make(FIRST + i);
        MPI_Info_set(info, "a", value);
        MPI_Info_free(&info);
        if (i == 200)
            bytes = mpilens_process.memory_bytes;
    }
    cr_assert_eq(mpilens_process.memory_bytes, bytes);
    end_mpi();
}

Test(environment, is_known_from_initialization)
{
    fake.info_keys = 1;
    fake.info_value = "4";
    begin_mpi();
    CHECK_TEXTS(entries_of(MPI_INFO_ENV), "key 0\0004\0");
    end_mpi();
}

static MPI_Info make_with(int handle, const char *key)
{
    MPI_Info info = make(handle);
    MPI_Info_set(info, key, "1");
    return info;
}

Test(hints, of_a_communicator_are_the_pairs_of_the_info_objects)
{
    MPI_Info first = make_with(FIRST, "a"), second = make_with(FIRST + 1, "b");
    MPI_Comm communicators[4];
    MPI_Request request;
    fake.communicator = (MPI_Comm)0x84000001;
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, first, &communicators[0]);
    const struct mpilens_communicator *record = shadow_communicator(communicators[0]);
    CHECK_TEXTS(record->hints, "a\0001\0");
    cr_assert_eq(record->info, shadow_info(first)->serial);
    MPI_Comm_set_info(communicators[0], second);
    CHECK_TEXTS(record->hints, "a\0001\0b\0001\0");
    cr_assert_eq(record->info, shadow_info(second)->serial);
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, second, &communicators[1], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_TEXTS(shadow_communicator(communicators[1])->hints, "b\0001\0");
    fake.communicator = (MPI_Comm)0x84000003;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, first, &communicators[2]);
    CHECK_TEXTS(shadow_communicator(communicators[2])->hints, "a\0001\0");
    fake.communicator = (MPI_Comm)0x84000004;
    MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "tag", second, MPI_ERRORS_RETURN, &communicators[3]);
    CHECK_TEXTS(shadow_communicator(communicators[3])->hints, "b\0001\0");
    for (int i = 0; i < 4; i++)
        MPI_Comm_free(&communicators[i]);
    CHECK_TEXTS(record->hints, "a\0001\0b\0001\0");
    MPI_Info_free(&first);
    MPI_Info_free(&second);
    end_mpi();
}

Test(hints, are_none_without_an_info_object)
{
    MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, (int)0x84000001);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert_eq(record->hints[0].count + record->info, 0);
    MPI_Comm_set_info(communicator, MPI_INFO_NULL);
    cr_assert_eq(record->hints[0].count + record->info, 0);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(hints, of_windows_and_files)
{
    MPI_Info first = make_with(FIRST, "a"), second = make_with(FIRST + 1, "b");
    MPI_Win window;
    MPI_File file;
    void *base;
    fake.window = (MPI_Win)0xa0000001;
    MPI_Win_allocate(64, 1, first, MPI_COMM_WORLD, &base, &window);
    CHECK_TEXTS(shadow_window(window)->hints, "a\0001\0");
    MPI_Win_set_info(window, second);
    CHECK_TEXTS(shadow_window(window)->hints, "a\0001\0b\0001\0");
    cr_assert_eq(shadow_window(window)->info, shadow_info(second)->serial);
    fake.file = (MPI_File)(uintptr_t)0x5555000010;
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, first, &file);
    const struct mpilens_file *record = shadow_file(file);
    CHECK_TEXTS(record->hints, "a\0001\0");
    cr_assert_eq(record->info, shadow_info(first)->serial);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", second);
    CHECK_TEXTS(record->hints, "a\0001\0b\0001\0");
    MPI_Info_set(first, "a", "2");
    fake.error = FAKE_ERROR(MPI_ERR_IO);
    MPI_File_set_info(file, first);
    CHECK_TEXTS(record->hints, "a\0001\0b\0001\0");
    MPI_File_set_info(file, first);
    CHECK_TEXTS(record->hints, "b\0001\0a\0002\0");
    MPI_Win_free(&window);
    MPI_File_close(&file);
    MPI_Info_free(&first);
    MPI_Info_free(&second);
    end_mpi();
}

Test(hints, of_an_info_object_that_nobody_was_seen_to_make_are_asked_for)
{
    fake.info_keys = 1;
    fake.info_value = "x";
    MPI_Comm communicator;
    fake.communicator = (MPI_Comm)0x84000001;
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, (MPI_Info)FIRST, &communicator);
    CHECK_TEXTS(shadow_communicator(communicator)->hints, "key 0\0x\0");
    cr_assert_eq(shadow_communicator(communicator)->info, 0);
    MPI_Comm_free(&communicator);
    end_mpi();
}

Test(hints, give_their_memory_back)
{
    char value[MPI_MAX_INFO_VAL];
    memset(value, 'v', sizeof value);
    value[sizeof value - 1] = '\0';
    MPI_Info info = make(FIRST);
    for (int i = 0; i < 3; i++) {
        const char key[] = {(char)('a' + i), '\0'};
        MPI_Info_set(info, key, value);
    }
    uint64_t bytes = mpilens_process.memory_bytes;
    for (int i = 0; i < 2000; i++) {
        MPI_Comm communicator;
        MPI_Win window;
        MPI_File file;
        fake.communicator = (MPI_Comm)0x84000001;
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &communicator);
        fake.window = (MPI_Win)0xa0000001;
        MPI_Win_create_dynamic(info, communicator, &window);
        fake.file = (MPI_File)(uintptr_t)0x5555000010;
        MPI_File_open(communicator, "data", MPI_MODE_RDONLY, info, &file);
        MPI_File_close(&file);
        MPI_Win_free(&window);
        MPI_Comm_free(&communicator);
    }
    cr_assert_lt(mpilens_process.memory_bytes - bytes, 4 << 20, "some wait for others to be given back");
    MPI_Info_free(&info);
    end_mpi();
}
