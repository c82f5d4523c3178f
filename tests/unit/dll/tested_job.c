/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One job per test.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>

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

void create_job_of_ints(void)
{
    create_job_with_objects();
    struct mpilens_process *process = &opened.job.target->process;
    process->handle_bytes = 4;
    process->request_bytes = 4;
    process->request_null = TESTED_REQUEST_NULL;
    process->fortran_is_c = 1;
    process->known_nulls = 1u << MPILENS_OBJECT_COMMUNICATOR | 1u << MPILENS_OBJECT_FILE | 1u << MPILENS_OBJECT_REQUEST;
    process->null_handles[MPILENS_OBJECT_COMMUNICATOR] = TESTED_COMM_NULL;
    process->null_handles[MPILENS_OBJECT_REQUEST] = TESTED_REQUEST_NULL;
    process->fortran_null_handles[MPILENS_OBJECT_COMMUNICATOR] = TESTED_COMM_NULL;
}

void create_job_of_pointers(void)
{
    create_job_with_objects();
    struct mpilens_process *process = &opened.job.target->process;
    process->handle_bytes = 8;
    process->request_bytes = 8;
    process->request_null = 0x7f0000001000;
    process->known_nulls = 1u << MPILENS_OBJECT_COMMUNICATOR | 1u << MPILENS_OBJECT_REQUEST;
    process->null_handles[MPILENS_OBJECT_COMMUNICATOR] = 0x7f0000002000;
    process->null_handles[MPILENS_OBJECT_REQUEST] = 0x7f0000001000;
    process->fortran_null_handles[MPILENS_OBJECT_COMMUNICATOR] = 2;
    process->fortran_null_handles[MPILENS_OBJECT_REQUEST] = 0;
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

void copy_again(void)
{
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
}

void put_field(uint64_t record, enum mpilens_field field, uint64_t value)
{
    fake_target_put_field(opened.job.target, record, field, value);
}

struct mpilens_object_information find_object(int kind, uint64_t handle)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    cr_assert_eq(mpilens_find_object(opened.process, kind, MPILENS_HANDLE_C, handle, &object), mqs_ok);
    return object;
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

void fail_after_test_unless(bool condition, const char *message)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", message);
    abort();
}

void close_job(void)
{
    fail_after_test_unless(opened_job_close(&opened) == 0, "memory of the DLL is not freed");
}
