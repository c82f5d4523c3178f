/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that complete requests: which operation is over, with what, and which is not.
 */
#include "receives.h"

#include <criterion/criterion.h>

TestSuite(completion, .init = begin_mpi);

static char buffer[64];

__attribute__((noinline)) static int wait_from_here(MPI_Request *request)
{
    volatile int error = MPI_Wait(request, MPI_STATUS_IGNORE);
    return error;
}

Test(completion, shows_the_operation_that_a_wait_waits_for)
{
    post_receives();
    fake.status = fake.statuses[3];
    fake.hook = look_inside;
    wait_from_here(&requests[3]);
    cr_assert_str_eq(inside.function, "MPI_Wait");
    cr_assert_eq(inside.thread.operation, (uint64_t)(uintptr_t)operations[3]);
    cr_assert(site_is_in(inside.thread.site, CODE_OF(wait_from_here)));
    cr_assert_neq(inside.thread.entered, 0);
    cr_assert_eq(inside.thread.request_count, 0);
    check_only_over(1 << 3);
    finish_receives();
}

Test(completion, shows_copies_of_the_requests_that_a_waitall_waits_for)
{
    static MPI_Request seen[REQUESTS];
    static MPI_Request before[REQUESTS];
    post_receives();
    for (int i = 0; i < REQUESTS; i++)
        before[i] = requests[i];
    fake.hook = look_inside;
    complete_all();
    MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    cr_assert_str_eq(inside.function, "MPI_Waitall");
    cr_assert_eq(inside.thread.request_count, REQUESTS);
    cr_assert_neq(inside.thread.requests, (uint64_t)(uintptr_t)requests, "not the caller's array");
    for (int i = 0; i < REQUESTS; i++) {
        seen[i] = ((const MPI_Request *)(uintptr_t)inside.thread.requests)[i];
        cr_assert_eq(seen[i], before[i]);
    }
    cr_assert_eq(mpilens_process.request_bytes, sizeof(MPI_Request));
    check_only_over((1 << REQUESTS) - 1);
    end_mpi();
}

Test(completion, by_a_test_happens_when_it_says_so)
{
    post_receives();
    int flag = -1;
    fake.status = fake.statuses[2];
    fake.flag = 0;
    MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
    check_only_over(0);
    fake.flag = 1;
    MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(flag, 1);
    check_only_over(1 << 2);
    finish_receives();
}

Test(completion, of_any_is_that_of_the_index)
{
    post_receives();
    int index = -1;
    fake.done[4] = true;
    MPI_Waitany(REQUESTS, requests, &index, MPI_STATUS_IGNORE);
    cr_assert_eq(index, 4);
    check_only_over(1 << 4);
    int flag = -1;
    MPI_Testany(REQUESTS, requests, &index, &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(flag, 0);
    check_only_over(1 << 4);
    MPI_Status status;
    fake.done[1] = true;
    MPI_Testany(REQUESTS, requests, &index, &flag, &status);
    cr_assert_eq(index, 1);
    cr_assert_eq(status.MPI_TAG, 1);
    check_only_over(1 << 4 | 1 << 1);
    finish_receives();
}

Test(completion, of_some_takes_statuses_in_the_order_of_the_indices)
{
    post_receives();
    int count = -1, indices[REQUESTS];
    fake.done[1] = fake.done[4] = fake.done[5] = true;
    MPI_Waitsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE);
    cr_assert_eq(count, 3);
    check_only_over(1 << 1 | 1 << 4 | 1 << 5);
    fake.done[0] = true;
    MPI_Status statuses[REQUESTS];
    MPI_Testsome(REQUESTS, requests, &count, indices, statuses);
    cr_assert_eq(count, 1);
    cr_assert_eq(statuses[0].MPI_TAG, 0);
    check_only_over(1 << 0 | 1 << 1 | 1 << 4 | 1 << 5);
    MPI_Testsome(REQUESTS, requests, &count, indices, statuses);
    cr_assert_eq(count, 0);
    check_only_over(1 << 0 | 1 << 1 | 1 << 4 | 1 << 5);
    finish_receives();
}

Test(completion, of_all_by_testing_is_all_or_nothing)
{
    post_receives();
    int flag = -1;
    fake.done[0] = fake.done[1] = true;
    MPI_Testall(REQUESTS, requests, &flag, MPI_STATUSES_IGNORE);
    cr_assert_eq(flag, 0);
    check_only_over(0);
    complete_all();
    MPI_Testall(REQUESTS, requests, &flag, MPI_STATUSES_IGNORE);
    cr_assert_eq(flag, 1);
    check_only_over((1 << REQUESTS) - 1);
    end_mpi();
}

Test(completion, leaves_the_callers_statuses_to_the_library)
{
    post_receives();
    MPI_Status statuses[REQUESTS];
    for (int i = 0; i < REQUESTS; i++)
        statuses[i].MPI_ERROR = 4321 + i;
    MPI_Waitall(REQUESTS, requests, statuses);
    for (int i = 0; i < REQUESTS; i++) {
        cr_assert_eq(statuses[i].MPI_SOURCE, i % 4);
        cr_assert_eq(statuses[i].MPI_ERROR, 4321 + i, "nobody but the library writes errors");
    }
    end_mpi();
}

Test(completion, of_many_operations_with_one_request_takes_the_oldest)
{
    MPI_Request same[10];
    for (int i = 0; i < 10; i++) {
        fake.request = FAKE_COMPLETE_REQUEST;
        MPI_Isend(buffer, 1, MPI_INT, i % 4, i, MPI_COMM_WORLD, &same[i]);
        cr_assert_eq(same[i], FAKE_COMPLETE_REQUEST);
    }
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_COMPLETE), 10, "complete at once");
    MPI_Wait(&same[7], MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_COMPLETE), 9);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_COMPLETE, 0)->tag, 1);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_RETIRED, 0)->tag, 0);
    same[7] = same[9];
    complete_all();
    MPI_Waitall(9, same, MPI_STATUSES_IGNORE);
    end_mpi();
}

Test(completion, of_a_handle_that_is_used_again_at_once_is_that_of_the_new_operation)
{
    for (int i = 0; i < 1000; i++) {
        MPI_Request request;
        fake.request = (MPI_Request)0xac000005;
        MPI_Irecv(buffer, 1, MPI_CHAR, 2, i, MPI_COMM_WORLD, &request);
        const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
        cr_assert_eq(operation->tag, i);
        cr_assert_eq(shadow_live_operations(), 1);
        fake.status = fake_status(2, i, 1, false);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    }
    end_mpi();
}

Test(completion, of_null_and_unknown_requests_touches_nothing)
{
    post_receives();
    MPI_Request null = MPI_REQUEST_NULL;
    MPI_Request unknown[2] = {(MPI_Request)0x98000001, MPI_REQUEST_NULL};
    MPI_Wait(&null, MPI_STATUS_IGNORE);
    complete_all();
    MPI_Waitall(2, unknown, MPI_STATUSES_IGNORE);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    int count = 0;
    MPI_Waitsome(1, &null, &count, &count, MPI_STATUSES_IGNORE);
    unknown[0] = (MPI_Request)0x98000001;
    MPI_Wait(&unknown[0], MPI_STATUS_IGNORE);
    check_only_over(0);
    finish_receives();
}

Test(completion, of_a_thousand_requests_in_one_call_takes_each_once)
{
    static MPI_Request many[10000];
    static MPI_Status statuses[10000];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 10000; i++)
            MPI_Isend(buffer, 1, MPI_INT, i % 4, i, MPI_COMM_WORLD, &many[i]);
        cr_assert_eq(shadow_live_operations(), 10000);
        for (int i = 0; i < 10000; i++)
            MPI_Wait(&many[9999 - i], &statuses[i]);
    }
    end_mpi();
}

Test(completion, of_an_array_needs_no_memory_that_the_limit_forbids)
{
    MPI_Request many[FAKE_ARRAY];
    int count, indices[FAKE_ARRAY];
    for (int i = 0; i < FAKE_ARRAY; i++)
        MPI_Isend(buffer, 1, MPI_INT, i % 4, i, MPI_COMM_WORLD, &many[i]);
    mpilens_process.memory_limit = 1;
    for (int i = 0; i < FAKE_ARRAY / 2; i++)
        fake.done[i] = true;
    MPI_Waitsome(FAKE_ARRAY, many, &count, indices, MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_live_operations(), FAKE_ARRAY / 2);
    complete_all();
    MPI_Waitall(FAKE_ARRAY, many, MPI_STATUSES_IGNORE);
    end_mpi();
}
