/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking at a call from inside it.
 */
#include "inside.h"

#include <criterion/criterion.h>

struct inside inside;

static struct mpilens_operation copy_of(uint64_t address)
{
    return address ? *(const struct mpilens_operation *)(uintptr_t)address : (struct mpilens_operation){.state = 0};
}

void look_inside(const struct fake_call *call)
{
    (void)call;
    const struct mpilens_thread *thread = shadow_thread();
    inside.looks++;
    inside.thread = thread != NULL ? *thread : (struct mpilens_thread){.state = 0};
    inside.function = shadow_function_name(inside.thread.function);
    inside.operation = copy_of(inside.thread.operation);
    inside.operation_2 = copy_of(inside.thread.operation_2);
}

void begin_mpi(void)
{
    fake.rank = 1;
    cr_assert_eq(MPI_Init(NULL, NULL), MPI_SUCCESS);
}

void begin_mpi_multiple(void)
{
    int provided = 0;
    fake.rank = 1;
    fake.thread_level = MPI_THREAD_MULTIPLE;
    cr_assert_eq(MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
    cr_assert_eq(provided, MPI_THREAD_MULTIPLE);
}

void end_mpi(void)
{
    const char *leftover = shadow_leftover();
    cr_assert_null(leftover, "%s", leftover);
    cr_assert_eq(fake.groups_open, 0, "group handles are not freed");
    cr_assert_eq(MPI_Finalize(), MPI_SUCCESS);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_FINALIZED);
}

void complete_all(void)
{
    for (int i = 0; i < FAKE_ARRAY; i++)
        fake.done[i] = true;
}

bool site_is_in(uint64_t site, const void *function)
{
    return site - (uint64_t)(uintptr_t)function < 4096;
}
