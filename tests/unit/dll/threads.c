/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads as the runtime would leave them.
 */
#include "threads.h"

#include <criterion/criterion.h>

#include <string.h>

uint64_t add_thread(const struct mpilens_thread *thread)
{
    return fake_target_add(opened.job.target, MPILENS_TABLE_THREADS, thread);
}

uint64_t add_request(uint32_t flags, uint32_t handle, uint32_t state)
{
    struct mpilens_operation operation = send_to(2, 1);
    operation.flags = flags;
    operation.request = handle;
    operation.state = state;
    return add_operation(&operation);
}

struct mpilens_thread in_call(uint32_t function)
{
    return (struct mpilens_thread){.state = MPILENS_THREAD_ALIVE,
                                   .tid = 4711,
                                   .function = function,
                                   .site = 0x404000,
                                   .entered = 6000,
                                   .operations = 12,
                                   .completions = 5};
}

void give_requests(struct mpilens_thread *thread, const uint32_t *handles, size_t count)
{
    thread->request_count = count;
    thread->requests = fake_target_reserve(opened.job.target, count * sizeof *handles);
    for (size_t i = 0; i < count; i++)
        fake_target_put_integer(opened.job.target, thread->requests + i * sizeof *handles, sizeof *handles, handles[i]);
}

struct mpilens_thread_information next_thread(void)
{
    struct mpilens_thread_information got;
    memset(&got, 0x77, sizeof got);
    got.struct_size = sizeof got;
    cr_assert_eq(mpilens_next_thread(opened.process, &got), mqs_ok);
    return got;
}

struct mpilens_thread_information open_first_thread(void)
{
    open_job();
    cr_assert_eq(mpilens_setup_thread_iterator(opened.process), mqs_ok);
    return next_thread();
}

void check_waiting(const uint64_t *serials, size_t count)
{
    uint64_t got[16];
    size_t got_count = 99;
    cr_assert_eq(mpilens_get_waiting(opened.process, got, 16, &got_count), mqs_ok);
    cr_assert_eq(got_count, count, "%zu", got_count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(got[i], serials[i]);
}
