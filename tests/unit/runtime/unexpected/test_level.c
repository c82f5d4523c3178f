/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI is initialized for several threads where unexpected messages are to be exact, and the application hears nothing
 * of it.
 */
#include "fake_mpi.h"
#include "memory/memory.h"
#include "shadow.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <time.h>

static int told, asked_again;

static void begin(const char *unexpected, int provided, int required)
{
    setenv("MPILENS_UNEXPECTED", unexpected, 1);
    setenv("MPILENS_UNEXPECTED_AFTER", "1000", 0);
    fake.thread_level = provided;
    told = asked_again = -1;
    MPI_Init_thread(NULL, NULL, required, &told);
    fake.flag = provided; /* the library's answer to MPI_Query_thread */
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

Test(level, messages_that_come_without_end_hold_nobody_up)
{
    const struct timespec time = {0, 1000000};
    MPI_Status status;
    setenv("MPILENS_UNEXPECTED_AFTER", "0", 1);
    begin("exact", MPI_THREAD_MULTIPLE, MPI_THREAD_SINGLE);
    fake.status = fake_status(1, 7, 4, false);
    fake.flag = 1; /* every probe finds one more */
    while (shadow_count(MPILENS_TABLE_UNEXPECTED, MPILENS_OBJECT_LIVE) == 0)
        nanosleep(&time, NULL);
    cr_expect_eq(MPI_Recv(NULL, 0, MPI_BYTE, 1, 7, MPI_COMM_WORLD, &status), MPI_SUCCESS);
    MPI_Finalize();
    cr_expect_eq(mpilens_process.tables[MPILENS_TABLE_UNEXPECTED].untracked, 0, "not until no memory is left");
}
