/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI is initialized for several threads where unexpected messages are to be exact, and the application hears nothing
 * of it.
 */
#include "fake_mpi.h"
#include "memory/root.h"

#include <criterion/criterion.h>

#include <stdlib.h>

static int told, asked_again;

static void begin(const char *unexpected, int provided, int required)
{
    setenv("MPILENS_UNEXPECTED", unexpected, 1);
    setenv("MPILENS_UNEXPECTED_AFTER", "1000", 1);
    fake.thread_level = provided;
    told = asked_again = -1;
    MPI_Init_thread(NULL, NULL, required, &told);
    fake.flag = provided; /* what the library answers to MPI_Query_thread */
    MPI_Query_thread(&asked_again);
}

Test(level, application_is_told_what_it_has_asked_for)
{
    begin("exact", MPI_THREAD_MULTIPLE, MPI_THREAD_FUNNELED);
    cr_expect_eq(told, MPI_THREAD_FUNNELED);
    cr_expect_eq(asked_again, MPI_THREAD_FUNNELED);
    cr_expect_eq(mpilens_process.thread_level, MPILENS_THREAD_LEVEL_FUNNELED);
    cr_expect_eq(mpilens_process.unexpected_mode, MPILENS_UNEXPECTED_EXACT);
    cr_expect_neq(mpilens_process.unexpected_since, 0);
    MPI_Finalize();
}

Test(level, without_several_threads_messages_stay_inferred)
{
    begin("exact", MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE);
    cr_expect_eq(told, MPI_THREAD_SERIALIZED);
    cr_expect_eq(asked_again, MPI_THREAD_SERIALIZED);
    cr_expect_eq(mpilens_process.unexpected_mode, MPILENS_UNEXPECTED_NO_LEVEL);
    cr_expect_eq(mpilens_process.unexpected_since, 0);
    MPI_Finalize();
}

Test(level, nothing_differs_where_it_is_not_asked_for)
{
    begin("inferred", MPI_THREAD_MULTIPLE, MPI_THREAD_FUNNELED);
    cr_expect_eq(told, MPI_THREAD_MULTIPLE);
    cr_expect_eq(mpilens_process.unexpected_mode, MPILENS_UNEXPECTED_INFERRED);
    cr_expect_eq(mpilens_process.unexpected_since, 0);
    MPI_Finalize();
}
