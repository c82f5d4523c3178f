/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls: counts per class, the last calls with their arguments.
 */
#include "inside.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

TestSuite(collective, .init = begin_mpi);

static char buffer[64];
static char other_buffer[64];

static struct mpilens_communicator during;

static void look_at_world(const struct fake_call *call)
{
    look_inside(call);
    during = *shadow_communicator(MPI_COMM_WORLD);
}

__attribute__((noinline)) static int reduce_from_here(int count)
{
    volatile int error = MPI_Reduce(buffer, other_buffer, count, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
    return error;
}

Test(collective, calls_are_described_while_they_last_and_afterwards)
{
    fake.hook = look_at_world;
    reduce_from_here(5);
    cr_assert_str_eq(inside.function, "MPI_Reduce");
    cr_assert_eq(inside.thread.communicator, (uint64_t)(uintptr_t)shadow_communicator(MPI_COMM_WORLD));
    cr_assert_eq(during.collective_count, 1);
    cr_assert_eq(during.collective_states[MPILENS_COLLECTIVE_REDUCE].count, 1);
    cr_assert_eq(during.collective_states[MPILENS_COLLECTIVE_REDUCE].active, 1);
    const struct mpilens_collective *call = &during.recent_collectives[0];
    cr_assert_eq(call->serial, 1);
    cr_assert_eq(call->active, 1);
    cr_assert_eq(call->root, 2);
    cr_assert_eq(call->has_root, 1);
    cr_assert_eq(call->count, 5);
    cr_assert_eq(call->datatype, (uint64_t)(uintptr_t)shadow_datatype(MPI_DOUBLE));
    cr_assert_eq(call->op, (uint32_t)MPI_SUM);
    cr_assert_eq(call->buffer, (uint64_t)(uintptr_t)buffer);
    cr_assert(site_is_in(call->site, CODE_OF(reduce_from_here)));
    cr_assert_eq(call->entered, inside.thread.entered);
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    cr_assert_eq(world->recent_collectives[0].active, 0);
    cr_assert_eq(world->collective_states[MPILENS_COLLECTIVE_REDUCE].active, 0);
    cr_assert_eq(world->collective_states[MPILENS_COLLECTIVE_REDUCE].count, 1);
    end_mpi();
}

Test(collective, earlier_calls_have_marks_at_distances_that_grow)
{
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    for (int i = 1; i < 32; i++)
        reduce_from_here(i);
    cr_assert_eq(world->marks, 0);
    for (int i = 32; i <= 32 * 33; i++)
        reduce_from_here(i);
    const struct mpilens_collective_mark *marks = (const struct mpilens_collective_mark *)(uintptr_t)world->marks;
    cr_assert_eq(world->mark_mask, 63, "every second one has been given up");
    for (uint64_t i = 0; i < MPILENS_DOUBLING_MARKS; i++) {
        const uint64_t serial = 64 * (i + 1);
        const bool doubles = (serial & (serial - 1)) == 0;
        const struct mpilens_collective_mark *regular = &marks[MPILENS_DOUBLING_MARKS + i];
        cr_expect_eq(marks[i].serial, i < 6 ? 32u << i : 0);
        cr_expect_eq(regular->serial, i < 16 && !doubles ? serial : 0);
        cr_expect(i >= 6 || (site_is_in(marks[i].site, CODE_OF(reduce_from_here)) && marks[i].root == 2));
    }
    for (int i = 32 * 33 + 1; i <= 64 * 17; i++)
        reduce_from_here(i);
    cr_assert_eq(marks[MPILENS_DOUBLING_MARKS + 16].serial, 64 * 17);
    end_mpi();
}

Test(collective, calls_are_remembered_in_a_ring_of_eight)
{
    for (int i = 1; i <= 20; i++)
        reduce_from_here(i);
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    for (uint64_t n = 13; n <= 20; n++) {
        cr_assert_eq(world->recent_collectives[(n - 1) % 8].serial, n);
        cr_assert_eq(world->recent_collectives[(n - 1) % 8].count, (int64_t)n);
    }
    end_mpi();
}

Test(collective, calls_count_in_their_class)
{
    int counts[4] = {1, 1, 1, 1}, displacements[4] = {0};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(buffer, 1, MPI_INT, other_buffer, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(buffer, 1, MPI_INT, other_buffer, counts, displacements, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(buffer, other_buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(buffer, 1, MPI_INT, other_buffer, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(buffer, counts, displacements, MPI_INT, other_buffer, counts, displacements, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(buffer, other_buffer, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(buffer, other_buffer, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Gather(buffer, 1, MPI_INT, other_buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(buffer, 1, MPI_INT, other_buffer, counts, displacements, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scan(buffer, other_buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scatter(buffer, 1, MPI_INT, other_buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(buffer, counts, displacements, MPI_INT, other_buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Exscan(buffer, other_buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(buffer, other_buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoallw(buffer, counts, displacements, types, other_buffer, counts, displacements, types, MPI_COMM_WORLD);
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    for (int i = 0; i <= MPILENS_COLLECTIVE_ALLTOALLW; i++)
        cr_assert_eq(world->collective_states[i].count, 1, "class %d", i);
    cr_assert_eq(world->collective_count, MPILENS_COLLECTIVE_ALLTOALLW + 1);
    end_mpi();
}

Test(collective, calls_in_place_have_no_count)
{
    MPI_Gather(MPI_IN_PLACE, 3, MPI_INT, other_buffer, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gather(buffer, 3, MPI_INT, other_buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(buffer, NULL, NULL, MPI_INT, MPI_IN_PLACE, 4, MPI_INT, 1, MPI_COMM_WORLD);
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    cr_assert_eq(world->recent_collectives[0].count, -1);
    cr_assert_eq(world->recent_collectives[0].datatype, 0);
    cr_assert_eq(world->recent_collectives[1].count, 3);
    cr_assert_eq(world->recent_collectives[2].count, -1);
    end_mpi();
}

Test(collective, calls_may_have_addresses_that_lead_nowhere)
{
    static const int none[4] = {0};
    const MPI_Datatype *volatile nowhere = (const MPI_Datatype *)8; /* where all counts are 0, nobody may look there */
    MPI_Request request;
    MPI_Alltoallw(buffer, none, none, nowhere, other_buffer, none, none, nowhere, MPI_COMM_WORLD);
    MPI_Ialltoallw(buffer, none, none, nowhere, other_buffer, none, none, nowhere, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Alltoallw_init(buffer, none, none, nowhere, other_buffer, none, none, nowhere, MPI_COMM_SELF, MPI_INFO_NULL,
                       &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    static const MPI_Aint no_addresses[4] = {0};
    MPI_Neighbor_alltoallw(buffer, none, no_addresses, nowhere, other_buffer, none, no_addresses, nowhere,
                           MPI_COMM_SELF);
    MPI_Bcast(MPI_BOTTOM, 3, MPI_INT, 0, MPI_COMM_WORLD);
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    cr_assert_eq(world->recent_collectives[2].count, 3, "an address of 0 is as good as any");
    end_mpi();
}

/* Three calls, one of which has no meaning for it here. */
Test(collective, short_arrays_of_counts_are_copied)
{
    static int counts[] = {4, 3, 2, 1}, places[4];
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE};
    const int *volatile nowhere = (const int *)8;
    MPI_Alltoallw(buffer, counts, places, types, other_buffer, counts, places, types, MPI_COMM_WORLD);
    MPI_Gatherv(buffer, 1, MPI_INT, other_buffer, nowhere, nowhere, MPI_INT, 3, MPI_COMM_WORLD);
    memset(counts, 0, sizeof counts);
    memset(types, 0, sizeof types);
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    const struct mpilens_collective *exchange = &world->recent_collectives[0], *gather = &world->recent_collectives[1];
    cr_assert_eq(world->size, 4);
    const uint64_t arrays[] = {exchange->send_counts, exchange->receive_counts};
    for (size_t i = 0; i < 2; i++) {
        cr_expect_lt(arrays[i] - world->count_copies, MPILENS_COUNT_COPIES_BYTES);
        cr_expect_arr_eq((const int *)(uintptr_t)arrays[i], ((const int[]){4, 3, 2, 1}), sizeof counts);
    }
    cr_expect_eq(((const MPI_Datatype *)(uintptr_t)exchange->receive_datatypes)[3], MPI_DOUBLE);
    cr_expect_eq(gather->receive_counts, 0);
    end_mpi();
}

Test(collective, types_are_not_read_where_all_counts_are_0)
{
    static const int none[4], one[] = {0, 0, 1, 0};
    MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_DOUBLE, MPI_INT};
    MPI_Datatype *volatile nowhere = (MPI_Datatype *)8;
    MPI_Alltoallw(buffer, none, none, nowhere, other_buffer, one, none, types, MPI_COMM_WORLD);
    MPI_Alltoallw(buffer, none, none, nowhere, other_buffer, one, none, types, MPI_COMM_WORLD);
    types[2] = MPI_INT;
    const struct mpilens_collective *exchanges = shadow_communicator(MPI_COMM_WORLD)->recent_collectives;
    for (size_t i = 0; i < 2; i++) {
        cr_expect_neq(exchanges[i].send_datatypes, (uint64_t)(uintptr_t)nowhere);
        cr_expect_eq(((const MPI_Datatype *)(uintptr_t)exchanges[i].receive_datatypes)[2], MPI_DOUBLE);
    }
    end_mpi();
}

/* Behind the arrays, nothing can be read. */
Test(collective, copies_end_where_the_arrays_end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + page, page, PROT_NONE), 0);
    int *const counts = (int *)(void *)(pages + page) - 4, *const one = counts + 3;
    memcpy(counts, (const int[]){4, 3, 2, 1}, 4 * sizeof *counts);
    MPI_Allgatherv(buffer, 1, MPI_INT, other_buffer, counts, counts, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(buffer, 1, MPI_INT, other_buffer, one, one, MPI_INT, MPI_COMM_SELF);
    const uint64_t of_world = shadow_communicator(MPI_COMM_WORLD)->recent_collectives[0].receive_counts,
                   of_self = shadow_communicator(MPI_COMM_SELF)->recent_collectives[0].receive_counts;
    cr_expect_arr_eq((const int *)(uintptr_t)of_world, counts, 4 * sizeof *counts);
    cr_expect_neq(of_self, (uint64_t)(uintptr_t)one);
    cr_expect_eq(*(const int *)(uintptr_t)of_self, 1);
    end_mpi();
}

/* As above, of a call that finds room for its copies: with few members, these are made without a loop. */
static void check_later_copies(int size)
{
    static const int some[9] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)size * sizeof *some;
    const MPI_Datatype kinds[9] = {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    char *pages = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + page, page, PROT_NONE) | mprotect(pages + 3 * page, page, PROT_NONE), 0);
    const int *const counts = memcpy(pages + page - bytes, some, bytes);
    const size_t type_bytes = (size_t)size * sizeof *kinds;
    const MPI_Datatype *const types = memcpy(pages + 3 * page - type_bytes, kinds, type_bytes);
    const int *volatile nowhere = (const int *)8;
    MPI_Comm communicator;
    fake.communicator = (MPI_Comm)(0x84000002 + size);
    fake_communicator_define(fake.communicator, NULL, size, NULL, 0);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &communicator);
    MPI_Allgatherv(buffer, 1, MPI_INT, other_buffer, some, some, MPI_INT, communicator);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    cr_assert(record != NULL && record->size == size);
    const struct mpilens_collective *calls = record->recent_collectives;
    MPI_Alltoallw(buffer, counts, counts, types, other_buffer, counts, counts, types, communicator);
    MPI_Gatherv(buffer, 1, MPI_INT, other_buffer, nowhere, nowhere, MPI_INT, record->rank + 1, communicator);
    MPI_Scatterv(buffer, counts, counts, MPI_INT, other_buffer, 1, MPI_INT, record->rank, communicator);
    const uint64_t copies[] = {calls[1].send_counts, calls[1].receive_counts, calls[3].send_counts};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        cr_assert_lt(copies[i] - record->count_copies, MPILENS_COUNT_COPIES_BYTES, "%d, %zu", size, i);
        cr_expect_arr_eq((const int *)(uintptr_t)copies[i], some, bytes);
    }
    cr_expect_arr_eq((const MPI_Datatype *)(uintptr_t)calls[1].send_datatypes, kinds, type_bytes);
    cr_expect_arr_eq((const MPI_Datatype *)(uintptr_t)calls[1].receive_datatypes, kinds, type_bytes);
    cr_expect_eq(calls[2].receive_counts, 0);
    cr_expect_eq(calls[3].receive_counts, 0);
    MPI_Comm_free(&communicator);
}

Test(collective, later_copies_end_where_the_arrays_end)
{
    for (int size = 3; size <= 9; size++)
        check_later_copies(size);
    end_mpi();
}

Test(collective, calls_on_an_unknown_communicator_are_shown_only)
{
    fake.hook = look_inside;
    MPI_Barrier((MPI_Comm)0x84000077);
    cr_assert_str_eq(inside.function, "MPI_Barrier");
    cr_assert_eq(inside.thread.communicator, 0);
    end_mpi();
}
