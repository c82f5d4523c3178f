/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One job per test.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

struct opened_job opened;
struct fake_objects objects;

void create_job(void)
{
    opened_job_create(&opened, &(struct fake_options){.word_size = 8});
}

void create_populated_job(void)
{
    create_job();
    fake_job_populate(&opened.job);
}

void create_small_populated_job(void)
{
    opened_job_create(&opened, &(struct fake_options){.memory_bytes = (size_t)1 << 17});
    fake_job_populate(&opened.job);
}

void create_job_with_objects(void)
{
    create_job();
    fake_objects_add(&objects, &opened.job);
}

void open_job(void)
{
    cr_assert_eq(opened_job_open(&opened), mqs_ok);
}

void open_world(void)
{
    open_job();
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
}

struct mpilens_operation send_to(int32_t peer, int32_t tag)
{
    return fake_job_operation(&opened.job, opened.job.function.isend, MPILENS_OPERATION_SEND, peer, tag);
}

struct mpilens_operation receive_from(int32_t peer, int32_t tag)
{
    return fake_job_operation(&opened.job, opened.job.function.irecv, MPILENS_OPERATION_RECEIVE, peer, tag);
}

uint64_t add_operation(const struct mpilens_operation *operation)
{
    return fake_job_add(&opened.job, operation);
}

void close_job(void)
{
    cr_assert_eq(opened_job_close(&opened), 0);
}
