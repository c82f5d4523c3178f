/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Learning the job of a process reads none of its pending operations.
 */
#include "opened_job.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { OPERATIONS = 2000, MEMORY_BYTES = 1 << 23 };

/* As a debugger does that only wants to know which processes are of one job. */
static void identify(const struct fake_options *options, struct mpilens_process_information *ret_identity,
                     uint64_t *ret_reads, uint64_t *ret_bytes)
{
    struct opened_job one;
    opened_job_create(&one, options);
    for (int i = 0; i < OPERATIONS; i++) {
        const struct mpilens_operation operation =
            fake_job_operation(&one.job, one.job.function.irecv, MPILENS_OPERATION_RECEIVE, 0, i);
        fake_job_add(&one.job, &operation);
    }
    snprintf(one.job.target->process.job_identity, sizeof one.job.target->process.job_identity, "hydra n01:40123 0");
    one.job.target->process.world_rank = 5;
    fake_target_publish(one.job.target);
    mqs_setup_basic_callbacks(&one.debugger.basic);
    cr_assert_eq(mqs_setup_image(fake_image(&one.debugger), &one.debugger.image), mqs_ok);
    cr_assert_eq(mqs_setup_process(one.process, &one.debugger.process), mqs_ok);
    *ret_identity = (struct mpilens_process_information){.struct_size = sizeof *ret_identity};
    cr_assert_eq(mpilens_identify_process(one.process, ret_identity), mqs_ok);
    *ret_reads = one.debugger.reads;
    *ret_bytes = one.debugger.bytes_read;
    struct mpilens_process_information process = {.struct_size = sizeof process};
    cr_assert_eq(mpilens_get_process(one.process, &process), mqs_ok, "a copy can be taken after that");
    cr_assert_arr_eq(&process, ret_identity, sizeof process);
    cr_assert_eq(opened_job_close(&one), 0);
}

Test(identity, takes_less_than_a_kilobyte)
{
    struct mpilens_process_information identity;
    uint64_t reads, bytes;
    identify(&(struct fake_options){.memory_bytes = MEMORY_BYTES, .chunk_capacity = 2048}, &identity, &reads, &bytes);
    cr_assert_eq(reads, 2, "the header, and what stands behind the tables");
    cr_assert_lt(bytes, 1024);
    cr_assert_eq(identity.world_rank, 5);
    cr_assert_str_eq(identity.job_identity, "hydra n01:40123 0");
}

Test(identity, of_another_layout_takes_the_root)
{
    static const struct fake_options layouts[] = {
        {.memory_bytes = MEMORY_BYTES, .chunk_capacity = 2048, .big_endian = true},
        {.memory_bytes = MEMORY_BYTES, .chunk_capacity = 2048, .minor = 1, .appended_bytes = 8},
        {.memory_bytes = MEMORY_BYTES, .chunk_capacity = 2048, .extra_tables = 2},
        {.memory_bytes = MEMORY_BYTES, .chunk_capacity = 2048, .extra_structs = 1},
    };
    struct mpilens_process_information usual, identity;
    uint64_t reads, bytes;
    identify(&(struct fake_options){.memory_bytes = MEMORY_BYTES, .chunk_capacity = 2048}, &usual, &reads, &bytes);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        identify(&layouts[i], &identity, &reads, &bytes);
        cr_assert_eq(reads, 2, "the header, and the root");
        cr_assert_lt(bytes, 2 * sizeof(struct mpilens_process));
        identity.layout_minor = usual.layout_minor;
        cr_assert_arr_eq(&identity, &usual, sizeof identity);
    }
}

Test(identity, of_a_process_that_is_open_takes_one_reading)
{
    struct opened_job one;
    struct mpilens_process_information identity = {.struct_size = sizeof identity};
    opened_job_create(&one, &(struct fake_options){.word_size = 8});
    cr_assert_eq(opened_job_open(&one), mqs_ok);
    const uint64_t reads = one.debugger.reads;
    cr_assert_eq(mpilens_identify_process(one.process, &identity), mqs_ok);
    cr_assert_eq(one.debugger.reads, reads + 1);
    cr_assert_eq(identity.world_rank, one.job.target->process.world_rank);
    one.debugger.fail_read = reads + 2;
    cr_assert_eq(mpilens_identify_process(one.process, &identity), MPILENS_ERROR_UNREADABLE);
    cr_assert_eq(mpilens_identify_process(one.process, &identity), mqs_ok, "it can be read again");
    cr_assert_eq(identity.world_size, one.job.target->process.world_size);
    cr_assert_eq(opened_job_close(&one), 0);
}
