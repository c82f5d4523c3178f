/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking and persistent collectives: operations with a request that are calls on their communicator.
 */
#include "inside.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

TestSuite(nonblocking, .init = begin_mpi);

#define COLLECTIVE_AT_ONCE ((MPI_Request)0x6c00000a)

static double from[64], into[64];

static const struct mpilens_communicator *world(void)
{
    return shadow_communicator(MPI_COMM_WORLD);
}

static uint32_t active(enum mpilens_collective_class collective_class)
{
    return world()->collective_states[collective_class].active;
}

static uint64_t count(enum mpilens_collective_class collective_class)
{
    return world()->collective_states[collective_class].count;
}

__attribute__((noinline)) static int reduce_from_here(MPI_Request *request)
{
    volatile int error = MPI_Ireduce(from, into, 5, MPI_DOUBLE, MPI_MAX, 2, MPI_COMM_WORLD, request);
    return error;
}

__attribute__((noinline)) static int start_from_here(MPI_Request *request)
{
    volatile int error = MPI_Start(request);
    return error;
}

Test(nonblocking, collectives_are_operations_and_calls_on_the_communicator)
{
    MPI_Request request;
    MPI_Barrier(MPI_COMM_WORLD);
    fake.hook = look_inside;
    reduce_from_here(&request);
    cr_assert_str_eq(inside.function, "MPI_Ireduce");
    cr_assert_eq(inside.operation.state, MPILENS_OPERATION_PENDING);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_eq(inside.thread.operation, (uint64_t)(uintptr_t)operation);
    cr_assert_eq(operation->flags, MPILENS_OPERATION_COLLECTIVE);
    cr_assert_str_eq(shadow_function_name(operation->function), "MPI_Ireduce");
    cr_assert_eq(operation->communicator, (uint64_t)(uintptr_t)world());
    cr_assert_eq(operation->datatype, (uint64_t)(uintptr_t)shadow_datatype(MPI_DOUBLE));
    cr_assert_eq(operation->count, 5);
    cr_assert_eq(operation->peer, 2);
    cr_assert_eq(operation->tag, 1);
    cr_assert_eq(operation->actual_bytes, 2, "the second call");
    cr_assert_eq(operation->buffer, (uint64_t)(uintptr_t)from);
    cr_assert_eq(operation->request, (uint32_t)request);
    cr_assert(site_is_in(operation->site, CODE_OF(reduce_from_here)));
    const struct mpilens_collective *call = &world()->recent_collectives[1];
    cr_assert_eq(call->serial, 2);
    cr_assert_eq(call->active, 1);
    cr_assert_eq(call->root, 2);
    cr_assert_eq(call->has_root, 1);
    cr_assert_eq(call->count, 5);
    cr_assert_eq(call->op, (uint32_t)MPI_MAX);
    cr_assert(site_is_in(call->site, CODE_OF(reduce_from_here)));
    cr_assert_eq(count(MPILENS_COLLECTIVE_REDUCE), 1);
    cr_assert_eq(active(MPILENS_COLLECTIVE_REDUCE), 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    cr_assert_eq(call->active, 0);
    cr_assert_eq(active(MPILENS_COLLECTIVE_REDUCE), 0);
    cr_assert_eq(count(MPILENS_COLLECTIVE_REDUCE), 1);
    end_mpi();
}

Test(nonblocking, collectives_that_have_no_root_say_so)
{
    MPI_Request request;
    MPI_Iallreduce(from, into, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_eq(operation->peer, -1);
    cr_assert_eq(operation->tag, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(nonblocking, collectives_that_are_complete_at_once_share_a_request)
{
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++) {
        fake.request = COLLECTIVE_AT_ONCE;
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[i]);
    }
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_COMPLETE), 3);
    cr_assert_eq(active(MPILENS_COLLECTIVE_BARRIER), 0);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(world()->recent_collectives[i].active, 0);
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_COMPLETE, i)->actual_bytes, i + 1, "the serial stays");
    }
    complete_all();
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    cr_assert_eq(active(MPILENS_COLLECTIVE_BARRIER), 0, "over once");
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_RETIRED, i)->actual_bytes, i + 1);
    end_mpi();
}

Test(nonblocking, collectives_seen_complete_are_over_once)
{
    MPI_Request request;
    int flag;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    fake.flag = 1;
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(active(MPILENS_COLLECTIVE_BARRIER), 0);
    cr_assert_eq(shadow_live_operations(), 1);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(active(MPILENS_COLLECTIVE_BARRIER), 0);
    end_mpi();
}

Test(nonblocking, collectives_that_could_not_begin_were_none)
{
    MPI_Request request;
    MPI_Barrier(MPI_COMM_WORLD);
    fake.error = FAKE_ERROR(MPI_ERR_COUNT);
    reduce_from_here(&request);
    cr_assert_eq(count(MPILENS_COLLECTIVE_REDUCE), 0);
    cr_assert_eq(active(MPILENS_COLLECTIVE_REDUCE), 0);
    cr_assert_eq(world()->collective_count, 1);
    cr_assert_eq(world()->recent_collectives[1].serial, 0);
    fake.error = FAKE_ERROR(MPI_ERR_ARG);
    cr_assert_eq(MPI_Ibarrier(MPI_COMM_WORLD, NULL), FAKE_ERROR(MPI_ERR_ARG));
    end_mpi();
}

Test(nonblocking, collectives_end_when_others_have_taken_their_place_among_the_recent)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int i = 0; i < 8; i++)
        MPI_Bcast(from, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    cr_assert_eq(world()->recent_collectives[0].serial, 9);
    MPI_Request second;
    MPI_Ibcast(from, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &second);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(active(MPILENS_COLLECTIVE_BARRIER), 0);
    cr_assert_eq(world()->recent_collectives[1].active, 1, "another call's");
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(nonblocking, collectives_on_a_communicator_that_is_freed_belong_to_it)
{
    MPI_Comm communicator;
    MPI_Request request;
    fake.communicator = (MPI_Comm)0x84000002;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    const struct mpilens_communicator *first = shadow_communicator(communicator);
    MPI_Ibarrier(communicator, &request);
    MPI_Comm freed = communicator;
    MPI_Comm_free(&freed);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    cr_assert_neq(first, shadow_communicator(communicator));
    cr_assert_eq(first->collective_states[MPILENS_COLLECTIVE_BARRIER].active, 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(first->collective_states[MPILENS_COLLECTIVE_BARRIER].active, 0);
    cr_assert_eq(shadow_communicator(communicator)->collective_states[MPILENS_COLLECTIVE_BARRIER].active, 0);
    MPI_Comm_free(&communicator);
}

Test(nonblocking, persistent_collectives_are_a_call_for_every_start)
{
    MPI_Request request;
    MPI_Allreduce_init(from, into, 7, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    const struct mpilens_operation *persistent = shadow_operation(MPILENS_OPERATION_PERSISTENT, 0);
    cr_assert_eq(persistent->flags, MPILENS_OPERATION_COLLECTIVE | MPILENS_OPERATION_PAIRED);
    cr_assert_eq(persistent->request, (uint32_t)request);
    cr_assert_eq(world()->collective_count, 0);
    for (uint64_t n = 1; n < 20; n++) {
        start_from_here(&request);
        const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
        cr_assert_eq(persistent->started, (uint64_t)(uintptr_t)operation);
        cr_assert_eq(operation->flags, MPILENS_OPERATION_COLLECTIVE | MPILENS_OPERATION_FROM_PERSISTENT);
        cr_assert_eq(operation->actual_bytes, n);
        cr_assert_eq(operation->count, 7);
        cr_assert_str_eq(shadow_function_name(operation->function), "MPI_Allreduce_init");
        cr_assert(site_is_in(operation->site, CODE_OF(start_from_here)));
        const struct mpilens_collective *call = &world()->recent_collectives[(n - 1) % 8];
        cr_assert_eq(call->serial, n);
        cr_assert_eq(call->active, 1);
        cr_assert_eq(call->count, 7);
        cr_assert_eq(call->op, (uint32_t)MPI_MIN);
        cr_assert_eq(call->has_root, 0);
        cr_assert_eq(call->datatype, (uint64_t)(uintptr_t)shadow_datatype(MPI_DOUBLE));
        cr_assert(site_is_in(call->site, CODE_OF(start_from_here)));
        cr_assert_eq(active(MPILENS_COLLECTIVE_ALLREDUCE), 1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        cr_assert_eq(active(MPILENS_COLLECTIVE_ALLREDUCE), 0);
        cr_assert_eq(call->active, 0);
        cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    }
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    start_from_here(&request);
    cr_assert_eq(world()->collective_count, 19, "it was none");
    MPI_Request_free(&request);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PERSISTENT), 0);
    end_mpi();
}

Test(nonblocking, persistent_collectives_without_a_count_have_none)
{
    int counts[4] = {1, 1, 1, 1};
    MPI_Request requests[2];
    MPI_Reduce_scatter_init(from, into, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(from, 2, MPI_DOUBLE, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    cr_assert_eq(world()->recent_collectives[0].count, -1);
    cr_assert_eq(world()->recent_collectives[1].count, 2);
    cr_assert_eq(world()->recent_collectives[1].root, 3);
    cr_assert_eq(world()->recent_collectives[1].has_root, 1);
    complete_all();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

/* Behind the copy that this returns, nothing can be read. */
static void *put_at_end_of_page(const void *array, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    cr_assert_eq(mprotect(pages + page, page, PROT_NONE), 0);
    return memcpy(pages + page - bytes, array, bytes);
}

static void hide_page(const void *array)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    cr_assert_eq(mprotect((void *)((uintptr_t)array / page * page), page, PROT_NONE), 0);
}

static void start_and_end(MPI_Request *request)
{
    start_from_here(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static bool is_copy(uint64_t array)
{
    return array - world()->count_copies < MPILENS_COUNT_COPIES_BYTES;
}

Test(nonblocking, arrays_of_persistent_collectives_are_read_once)
{
    static const int some[4] = {4, 0, 2, 1}, others[4] = {1, 2, 3, 4};
    const int *const given = put_at_end_of_page(some, sizeof some), *const expected =
                                                                        put_at_end_of_page(others, sizeof others);
    MPI_Request request;
    MPI_Alltoallv_init(from, given, given, MPI_INT, into, expected, expected, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    hide_page(given);
    hide_page(expected);
    for (size_t i = 0; i < 10; i++)
        start_and_end(&request);
    MPI_Request_free(&request);
    for (size_t i = 0; i < 8; i++) {
        const struct mpilens_collective *call = &world()->recent_collectives[i];
        cr_assert(is_copy(call->send_counts) && is_copy(call->receive_counts));
        cr_expect_arr_eq((const int *)(uintptr_t)call->send_counts, some, sizeof some);
        cr_expect_arr_eq((const int *)(uintptr_t)call->receive_counts, others, sizeof others);
        cr_expect_eq(call->op, 0);
    }
    end_mpi();
}

Test(nonblocking, types_of_persistent_collectives_are_read_once)
{
    static const int counts[4] = {4, 0, 2, 1};
    const MPI_Datatype some[4] = {MPI_INT, MPI_DOUBLE, MPI_DOUBLE, MPI_INT};
    const MPI_Datatype *const types = put_at_end_of_page(some, sizeof some);
    MPI_Request request;
    MPI_Alltoallw_init(MPI_IN_PLACE, NULL, NULL, NULL, into, counts, counts, types, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &request);
    hide_page(types);
    start_and_end(&request);
    MPI_Request_free(&request);
    const struct mpilens_collective *call = &world()->recent_collectives[0];
    const MPI_Datatype *const copies = (const MPI_Datatype *)(uintptr_t)call->receive_datatypes;
    cr_assert(is_copy(call->receive_datatypes));
    cr_expect_eq(copies[0], MPI_INT);
    cr_expect_eq(copies[2], MPI_DOUBLE);
    cr_expect_eq(call->send_counts, 0);
    end_mpi();
}

/* The communicator has no neighbours; and it is the root that a gather's arrays have a meaning for. */
Test(nonblocking, arrays_without_a_known_length_are_never_read)
{
    static const int none[4];
    const int *const counts = put_at_end_of_page(none, sizeof none);
    MPI_Request requests[2];
    hide_page(counts);
    MPI_Neighbor_alltoallv_init(from, counts, counts, MPI_INT, into, counts, counts, MPI_INT, MPI_COMM_WORLD,
                                MPI_INFO_NULL, &requests[0]);
    MPI_Gatherv_init(from, 1, MPI_INT, into, counts, counts, MPI_INT, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (size_t i = 0; i < 2; i++)
        start_and_end(&requests[i]);
    cr_expect_eq(world()->recent_collectives[0].send_counts, (uint64_t)(uintptr_t)counts);
    cr_expect_eq(world()->recent_collectives[1].receive_counts, 0);
    for (size_t i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

Test(large_nonblocking, long_arrays_of_persistent_collectives_are_never_read)
{
    fake.size = MPILENS_MOST_COPIED_COUNTS + 1;
    begin_mpi();
    static const int many[MPILENS_MOST_COPIED_COUNTS + 1];
    const int *const counts = put_at_end_of_page(many, sizeof many);
    MPI_Request request;
    hide_page(counts);
    MPI_Allgatherv_init(from, 1, MPI_INT, into, counts, counts, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    start_and_end(&request);
    cr_expect_eq(world()->recent_collectives[0].receive_counts, (uint64_t)(uintptr_t)counts);
    MPI_Request_free(&request);
    end_mpi();
}

Test(nonblocking, communicators_are_made_when_their_request_is_over)
{
    MPI_Comm communicator;
    MPI_Request request;
    fake.communicator = (MPI_Comm)0x84000003;
    MPI_Comm_idup(MPI_COMM_WORLD, &communicator, &request);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_not_null(operation);
    cr_assert_eq(operation->flags, MPILENS_OPERATION_COMMUNICATOR);
    cr_assert_eq(operation->communicator, (uint64_t)(uintptr_t)world());
    cr_assert_eq(operation->object, (uint64_t)(uintptr_t)shadow_communicator(communicator));
    cr_assert(shadow_communicator(communicator)->flags & MPILENS_COMMUNICATOR_PENDING);
    communicator = MPI_COMM_NULL; /* a temporary of the language binding */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    communicator = (MPI_Comm)0x84000003;
    cr_assert_eq(shadow_communicator(communicator)->flags & MPILENS_COMMUNICATOR_PENDING, 0);
    MPI_Comm_free(&communicator);
    end_mpi();
}
