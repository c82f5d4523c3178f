/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fake process, read with the library that debuggers get.
 */
#include "asked_process.h"
#include "collect/collect_internal.h"

#include <criterion/criterion.h>

static struct dll dll = {
#define DLL_LINKED(function) .function = function,
    DLL_FUNCTIONS(DLL_LINKED) DLL_HANDLE_FUNCTIONS(DLL_LINKED)
#undef DLL_LINKED
};
struct asked_process asked;

void asked_process_begin(void)
{
    opened_job_create(&asked.opened, &(struct fake_options){.word_size = 8});
    fake_objects_add(&asked.objects, &asked.opened.job);
    struct mpilens_process *record = &asked.opened.job.target->process;
    record->handle_bytes = record->request_bytes = 4;
    record->request_null = REQUEST_NULL;
    record->fortran_is_c = 1;
    record->known_nulls = 1u << MPILENS_OBJECT_COMMUNICATOR | 1u << MPILENS_OBJECT_FILE | 1u << MPILENS_OBJECT_REQUEST;
    record->null_handles[MPILENS_OBJECT_COMMUNICATOR] = COMM_NULL;
    record->null_handles[MPILENS_OBJECT_REQUEST] = REQUEST_NULL;
    record->fortran_null_handles[MPILENS_OBJECT_COMMUNICATOR] = COMM_NULL;
    asked.process = (struct process){.rank = 1, .pid = 77};
}

void asked_process_read(void)
{
    cr_assert_eq(opened_job_open(&asked.opened), mqs_ok);
    asked.collection = (struct collection){.dll = &dll,
                                           .handle = asked.opened.process,
                                           .names = &asked.names,
                                           .groups = &asked.groups,
                                           .details = &asked.details};
    cr_assert_eq(collect_communicators(&asked.collection, &asked.process), mqs_ok);
    cr_assert_eq(collect_requests(&asked.collection, &asked.process), mqs_ok);
}

void asked_process_end(void)
{
    process_clear_contents(&asked.process);
    arena_clear(&asked.names.arena);
    arena_clear(&asked.groups.arena);
    arena_clear(&asked.details.arena);
    cr_expect_eq(opened_job_close(&asked.opened), 0);
}
