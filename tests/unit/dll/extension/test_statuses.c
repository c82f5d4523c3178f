/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Statuses in the memory of the target.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(statuses, .init = create_job_with_objects, .fini = close_job);

static struct mpilens_status_information status;

static int get_status(uint64_t address)
{
    memset(&status, 0x77, sizeof status);
    status.struct_size = sizeof status;
    return mpilens_get_status(opened.process, address, &status);
}

/* MPICH's: count_lo, count_hi_and_cancelled, source, tag, error. */
Test(statuses, of_packed_statuses)
{
    const uint32_t words[] = {0x80000000, 1 << 1 | 1, 3, 42, 0};
    const uint64_t address = fake_target_reserve(opened.job.target, sizeof words);
    for (size_t i = 0; i < 5; i++)
        fake_target_put_integer(opened.job.target, address + i * 4, 4, words[i]);
    opened.job.target->process.status_layout[0] = (struct mpilens_status_layout){
        .bytes = 20, .source = 8, .tag = 12, .error = 16, .encoding = MPILENS_STATUS_PACKED, .count = 0};
    opened.job.target->process.status_ignore = 1;
    opened.job.target->process.statuses_ignore = 1;
    open_job();
    cr_assert_eq(mpilens_status_bytes(opened.process), 20);
    cr_assert_eq(get_status(address), mqs_ok);
    cr_assert_eq(status.source, 3);
    cr_assert_eq(status.tag, 42);
    cr_assert_eq(status.error, 0);
    cr_assert_eq(status.ignored, 0);
    cr_assert_eq(status.bytes, 0x180000000);
    cr_assert_eq(status.cancelled, 1);
    cr_assert_eq(get_status(1), mqs_ok);
    cr_assert_eq(status.ignored, 1);
    cr_assert_eq(status.bytes, -1);
    cr_assert_geq(get_status(0), mqs_first_user_code);
    cr_assert_geq(get_status(16), mqs_first_user_code);
    cr_assert_eq(status.source, 0x77777777, "not touched");
}

/* Open MPI's: source, tag, error, cancelled, size_t count. */
Test(statuses, of_separate_statuses)
{
    const uint64_t address = fake_target_reserve(opened.job.target, 24);
    const uint32_t words[] = {(uint32_t)-2, (uint32_t)-1, 15, 0};
    for (size_t i = 0; i < 4; i++)
        fake_target_put_integer(opened.job.target, address + i * 4, 4, words[i]);
    fake_target_put_integer(opened.job.target, address + 16, 8, UINT64_C(1) << 40);
    struct mpilens_status_layout *layout = &opened.job.target->process.status_layout[0];
    *layout = (struct mpilens_status_layout){.bytes = 24,
                                             .source = 0,
                                             .tag = 4,
                                             .error = 8,
                                             .encoding = MPILENS_STATUS_SEPARATE,
                                             .count = 16,
                                             .cancelled = 12};
    open_job();
    cr_assert_eq(get_status(address), mqs_ok);
    cr_assert_eq(status.source, -2);
    cr_assert_eq(status.error, 15);
    cr_assert_eq(status.bytes, INT64_C(1) << 40);
    cr_assert_eq(status.cancelled, 0);
    cr_assert_eq(get_status(0), mqs_ok);
    cr_assert_eq(status.ignored, 1);
    fake_target_put_integer(opened.job.target, address + 16, 8, UINT64_MAX);
    cr_assert_eq(get_status(address), mqs_ok);
    cr_assert_eq(status.bytes, -1);
    const struct {
        uint32_t bytes, source, count;
    } hostile[] = {{24, 21, 16}, {24, UINT32_MAX, 16}, {24, 0, 17}, {24, 0, UINT32_MAX - 3}, {1u << 31, 0, 16}};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        layout->bytes = hostile[i].bytes;
        layout->source = hostile[i].source;
        layout->count = hostile[i].count;
        fake_target_publish(opened.job.target);
        copy_again();
        cr_assert_eq(get_status(address), MPILENS_ERROR_CORRUPT, "%zu", i);
    }
    layout->bytes = 0;
    fake_target_publish(opened.job.target);
    copy_again();
    cr_assert_eq(get_status(address), mqs_no_information);
    cr_assert_eq(mpilens_status_bytes(opened.process), 0);
}
