/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that complete requests and fail.
 */
#include "receives.h"

#include <criterion/criterion.h>

TestSuite(completion_error, .init = begin_mpi);

Test(completion_error, that_fails_part_way_is_that_of_the_requests_that_became_null)
{
    for (int ignored = 0; ignored < 2; ignored++) {
        post_receives();
        MPI_Status statuses[REQUESTS];
        for (int i = 0; i < REQUESTS; i++)
            fake.statuses[i].MPI_ERROR = MPI_SUCCESS;
        fake.statuses[1].MPI_ERROR = FAKE_ERROR(MPI_ERR_TRUNCATE);
        for (int i = 2; i < REQUESTS; i++)
            fake.statuses[i].MPI_ERROR = FAKE_ERROR(MPI_ERR_PENDING);
        fake.error = FAKE_ERROR(MPI_ERR_IN_STATUS);
        cr_assert_eq(MPI_Waitall(REQUESTS, requests, ignored ? MPI_STATUSES_IGNORE : statuses),
                     FAKE_ERROR(MPI_ERR_IN_STATUS));
        check_only_over(1 << 0 | 1 << 1);
        cr_assert(!(operations[0]->flags & MPILENS_OPERATION_TRUNCATED));
        cr_assert(operations[1]->flags & MPILENS_OPERATION_TRUNCATED);
        complete_all();
        MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    }
    end_mpi();
}

Test(completion_error, that_fails_and_goes_on_is_that_of_all)
{
    post_receives(); /* as Open MPI does it */
    for (int i = 0; i < REQUESTS; i++)
        fake.statuses[i].MPI_ERROR = i == 1 ? FAKE_ERROR(MPI_ERR_TRUNCATE) : MPI_SUCCESS;
    fake.error = FAKE_ERROR(MPI_ERR_IN_STATUS);
    MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    check_only_over((1 << REQUESTS) - 1);
    end_mpi();
}

Test(completion_error, with_another_error_than_a_short_buffer_has_received_nothing)
{
    post_receives();
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    fake.status = fake_status(0, 0, 10, false);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    cr_assert_eq(operations[0]->state, MPILENS_OPERATION_ABANDONED);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 0), 0);
    finish_receives();
}

Test(completion_error, that_fails_for_its_arguments_completes_nothing)
{
    post_receives();
    int flag = 1, count = 1000000, index = 3;
    static int indices[REQUESTS] = {5, 4, 3, 2, 1, 0};
    CHECK_REFUSED(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Testall(REQUESTS, requests, &flag, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Waitany(REQUESTS, requests, &index, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Waitsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Testsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    check_only_over(0);
    finish_receives();
}

Test(completion_error, of_some_is_that_of_the_status_in_the_same_place)
{
    post_receives();
    int count = 0, indices[REQUESTS];
    for (int i = 0; i < REQUESTS; i++)
        fake.statuses[i].MPI_ERROR = i == 4 ? FAKE_ERROR(MPI_ERR_OTHER) : MPI_SUCCESS;
    fake.done[1] = fake.done[4] = true;
    fake.error = FAKE_ERROR(MPI_ERR_IN_STATUS);
    MPI_Waitsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE);
    cr_assert_eq(count, 2);
    cr_assert_eq(operations[1]->state, MPILENS_OPERATION_RETIRED);
    cr_assert_eq(operations[4]->state, MPILENS_OPERATION_ABANDONED, "it has received nothing");
    cr_assert_eq(shadow_live_operations(), REQUESTS - 2);
    finish_receives();
}
