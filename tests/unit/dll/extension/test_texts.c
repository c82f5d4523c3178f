/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts that belong to objects.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(texts, .init = create_job_with_objects, .fini = close_job);

static uint64_t add_bytes(const char *bytes, size_t count)
{
    const uint64_t address = fake_target_reserve(opened.job.target, count);
    memcpy(fake_target_bytes(opened.job.target, address, count), bytes, count);
    return address;
}

static void set_texts(uint64_t record, enum mpilens_field field, uint64_t address, uint32_t bytes, uint32_t count)
{
    const struct mpilens_texts texts = {address, bytes, count};
    fake_target_put(opened.job.target, MPILENS_STRUCT_texts, record + opened.job.target->fields[field].offset, &texts);
}

static char key[16];
static char value[8];

static int get_pair(size_t n)
{
    memset(key, 0x77, sizeof key);
    memset(value, 0x77, sizeof value);
    return mpilens_get_text_pair(opened.process, n, key, sizeof key, value, sizeof value);
}

static void check_pair(size_t n, const char *expected_key, const char *expected_value)
{
    cr_assert_eq(get_pair(n), mqs_ok, "pair %zu", n);
    cr_assert_str_eq(key, expected_key);
    cr_assert_str_eq(value, expected_value);
}

Test(texts, texts)
{
    static const char entries[] = "cb_nodes\0"
                                  "4\0"
                                  "striping_factor_of_a_file\0"
                                  "\0"
                                  "file\0"
                                  "/scratch/out";
    const uint64_t address = add_bytes(entries, sizeof entries);
    set_texts(objects.info, MPILENS_FIELD_info_entries, address, sizeof entries, 6);
    set_texts(objects.file, MPILENS_FIELD_file_hints, address, sizeof entries, 2);
    set_texts(objects.session, MPILENS_FIELD_session_process_sets, address, sizeof entries, 3);
    open_job();
    find_object(MPILENS_OBJECT_INFO, 0x9c000001);
    const uint64_t reads = opened.debugger.reads;
    check_pair(0, "cb_nodes", "4");
    check_pair(1, "striping_factor", "");
    check_pair(2, "file", "/scratc");
    check_pair(0, "cb_nodes", "4");
    cr_assert_eq(opened.debugger.reads, reads + 1, "they are fetched once");
    cr_assert_eq(get_pair(3), mqs_end_of_list);
    cr_assert_eq(get_pair(SIZE_MAX), mqs_end_of_list);
    cr_assert_eq(key[0], 0x77, "not touched");
    cr_assert_eq(mpilens_get_text_pair(opened.process, 0, NULL, 0, NULL, 0), mqs_ok);
    find_object(MPILENS_OBJECT_FILE, 0x5555000);
    check_pair(0, "cb_nodes", "4");
    cr_assert_eq(get_pair(1), mqs_end_of_list);
    find_object(MPILENS_OBJECT_SESSION, 0x80000001);
    check_pair(1, "4", "");
    find_object(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(get_pair(0), mqs_end_of_list);
    find_object(MPILENS_OBJECT_OP, 0x98000001);
    cr_assert_eq(get_pair(0), MPILENS_ERROR_NO_CURRENT);
}

Test(texts, texts_that_cannot_be)
{
    static const char unended[] = {'a', '\0', 'b', '\0', 'c', '\0', 'd', 'e'};
    const uint64_t address = add_bytes(unended, sizeof unended);
    set_texts(objects.info, MPILENS_FIELD_info_entries, address, sizeof unended, UINT32_MAX);
    open_job();
    find_object(MPILENS_OBJECT_INFO, 0x9c000001);
    check_pair(1, "c", "de");
    cr_assert_eq(get_pair(2), mqs_no_information, "more than are kept");
    cr_assert_eq(get_pair(INT32_MAX - 1), mqs_no_information);
    check_pair(0, "a", "b");
    const struct {
        uint64_t address;
        uint32_t bytes;
        bool is_corrupt;
    } hostile[] = {{0, 100, false},
                   {address, 0, false},
                   {16, 100, true},
                   {UINT64_MAX - 5, 100, true},
                   {address, UINT32_MAX, true}};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        set_texts(objects.info, MPILENS_FIELD_info_entries, hostile[i].address, hostile[i].bytes, 2);
        copy_again();
        find_object(MPILENS_OBJECT_INFO, 0x9c000001);
        int code = get_pair(0);
        cr_assert(hostile[i].is_corrupt ? code >= mqs_first_user_code : code == mqs_no_information, "%zu", i);
        cr_assert_eq(key[0], 0x77);
    }
}
