/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Very many of everything, and less memory than that takes.
 */
#include "constructors.h"
#include "inside.h"
#include "memory/memory.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <time.h>

enum { MILLION = 1000000, COMMUNICATORS = 30000, RANKS = 100000 };

static char buffer[8];

Test(limits, a_million_requests_may_be_live)
{
    static MPI_Request requests[MILLION];
    begin_mpi();
    for (int i = 0; i < MILLION; i++)
        MPI_Irecv(buffer, 1, MPI_INT, i % 4, i % 1000, MPI_COMM_WORLD, &requests[i]);
    cr_assert_not_null(shadow_record(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PENDING, MILLION - 1));
    cr_assert_eq(shadow_thread()->untracked, 0);
    for (int i = 0; i < MILLION; i++)
        MPI_Wait(&requests[(i * 7919L) % MILLION], MPI_STATUS_IGNORE);
    end_mpi();
}

/* Seconds to make and free so many communicators that live at the same time. */
static double make_and_free(int count)
{
    clock_t begun = clock();
    for (int i = 0; i < count; i++)
        split_as(MPI_COMM_WORLD, (int)0x84001000 + i);
    clock_t made = clock();
    cr_assert_eq(mpilens_process.tables[MPILENS_TABLE_COMMUNICATORS].untracked, 0);
    cr_assert_not_null(shadow_record(MPILENS_TABLE_COMMUNICATORS, MPILENS_OBJECT_LIVE, (size_t)count + 1));
    clock_t counted = clock();
    for (int i = 0; i < count; i++) {
        MPI_Comm communicator = (MPI_Comm)0x84001000 + i;
        MPI_Comm_free(&communicator);
    }
    return (double)(made - begun + clock() - counted) / CLOCKS_PER_SEC;
}

Test(limits, thirty_thousand_communicators_take_ten_times_as_long_as_three_thousand)
{
    begin_mpi();
    make_and_free(COMMUNICATORS / 10);
    double few = make_and_free(COMMUNICATORS / 10);
    double many = make_and_free(COMMUNICATORS);
    cr_assert_lt(many, few * 40 + 0.1, "%g s, %g s", few, many);
    cr_assert_lt(shadow_count(MPILENS_TABLE_COMMUNICATORS, 0), 400, "records are given back");
    end_mpi();
}

static int ranks[RANKS];

Test(limits, a_communicator_of_a_hundred_thousand_ranks_costs_its_ranges)
{
    fake.size = RANKS;
    begin_mpi();
    MPI_Comm first = split_as(MPI_COMM_WORLD, (int)0x84000100); /* the tables have their first chunks */
    static const int strides[] = {1, -1, 2, -2};
    uint64_t before = mpilens_process.memory_bytes;
    for (size_t k = 0; k < sizeof strides / sizeof strides[0]; k++) {
        int count = RANKS / abs(strides[k]);
        for (int i = 0; i < count; i++)
            ranks[i] = strides[k] > 0 ? i * strides[k] : RANKS - 1 + i * strides[k];
        fake_communicator_define((MPI_Comm)(0x84000200 + k), ranks, count, NULL, 0);
        MPI_Comm communicator = split_as(MPI_COMM_WORLD, (int)(0x84000200 + k));
        const struct mpilens_communicator *record = shadow_communicator(communicator);
        const struct mpilens_group *group = (const struct mpilens_group *)(uintptr_t)record->group;
        cr_assert_eq(record->size, count);
        cr_assert_eq(group->range_count, 1, "stride %d", strides[k]);
        cr_assert_eq(mpilens_process.memory_bytes, before, "stride %d", strides[k]);
    }
    (void)first;
}

Test(limits, what_does_not_fit_is_counted_by_kind)
{
    setenv("MPILENS_MEMORY_LIMIT", "20M", 1);
    begin_mpi();
    MPI_Comm last = MPI_COMM_NULL;
    for (int i = 0; i < COMMUNICATORS; i++)
        last = split_as(MPI_COMM_WORLD, (int)0x84001000 + i);
    const struct mpilens_table *communicators = &mpilens_process.tables[MPILENS_TABLE_COMMUNICATORS];
    cr_assert_gt(communicators->untracked, 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_COMMUNICATORS, 0) + communicators->untracked, 2 + COMMUNICATORS);
    cr_assert_leq(mpilens_process.memory_bytes, 20 << 20);
    cr_assert_eq(MPI_Barrier(last), MPI_SUCCESS);
    MPI_Datatype datatype = MPI_DATATYPE_NULL;
    const struct mpilens_table *datatypes = &mpilens_process.tables[MPILENS_TABLE_DATATYPES];
    size_t before = shadow_count(MPILENS_TABLE_DATATYPES, 0);
    for (int i = 0; i < MILLION / 10; i++) {
        fake.datatype = (MPI_Datatype)(0xcc000001 + i);
        MPI_Type_contiguous(2, MPI_INT, &datatype);
    }
    cr_assert_gt(datatypes->untracked, 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_DATATYPES, 0) + datatypes->untracked, before + MILLION / 10);
    cr_assert_eq(MPI_Send(buffer, 1, datatype, 0, 0, MPI_COMM_WORLD), MPI_SUCCESS);
}

Test(limits, every_kind_of_record_counts_what_does_not_fit)
{
    setenv("MPILENS_MEMORY_LIMIT", "4M", 1);
    begin_mpi();
    for (int kind = 0; kind < MPILENS_TABLE_COUNT; kind++) {
        uint64_t before = mpilens_process.tables[kind].untracked;
        size_t taken = 0;
        while (table_take_one(kind))
            taken++;
        cr_assert_lt(taken, MILLION);
        cr_assert_eq(mpilens_process.tables[kind].untracked, before + 1, "kind %d", kind);
    }
}
