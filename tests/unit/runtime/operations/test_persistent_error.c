/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that start or complete persistent requests and fail.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(persistent_error, .init = begin_mpi);

static char buffer[64];

Test(persistent_error, requests_that_could_not_be_started_are_inactive)
{
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++)
        MPI_Send_init(buffer, i, MPI_INT, 3, i, MPI_COMM_WORLD, &requests[i]);
    fake.error = FAKE_ERROR(MPI_ERR_REQUEST);
    MPI_Startall(2, requests);
    cr_assert_eq(shadow_live_operations(), 0);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 0);
    MPI_Start(&requests[0]);
    fake.error = FAKE_ERROR(MPI_ERR_REQUEST); /* it is active already */
    MPI_Start(&requests[0]);
    cr_assert_eq(shadow_live_operations(), 1, "the first start was none of this call");
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

Test(persistent_error, requests_of_which_only_some_could_be_started)
{
    MPI_Request requests[4];
    for (int i = 0; i < 4; i++)
        MPI_Send_init(buffer, i, MPI_INT, 3, i, MPI_COMM_WORLD, &requests[i]);
    fake.flag = 0;
    fake.error = FAKE_ERROR(MPI_ERR_REQUEST);
    fake.started_before_error = 2;
    MPI_Startall(4, requests);
    cr_assert_eq(shadow_live_operations(), 2);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 2);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, (size_t)i)->tag, i);
    MPI_Startall(2, &requests[2]);
    complete_all();
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

Test(persistent_error, requests_stay_active_where_the_call_was_wrong)
{
    MPI_Request requests[3];
    int flag = 1, count = 3, index = 1, indices[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        MPI_Recv_init(buffer, 3, MPI_INT, i, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Startall(3, requests);
    CHECK_REFUSED(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Test(&requests[0], NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Testall(3, requests, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Waitany(3, requests, NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Testany(3, requests, NULL, NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Waitsome(3, requests, NULL, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Testsome(3, requests, &count, indices, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Testsome(3, requests, NULL, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    cr_assert_eq(shadow_live_operations(), 3);
    fake.error = FAKE_ERROR(MPI_ERR_OTHER); /* of no request in particular */
    fake.error_is_early = true;
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_live_operations(), 3);
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE); /* its own error: it is over */
    fake.status = fake_status(0, 0, 40, false);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_live_operations(), 2);
    fake.statuses[1] = fake_status(1, 1, 40, false);
    fake.statuses[1].MPI_ERROR = FAKE_ERROR(MPI_ERR_TRUNCATE);
    fake.statuses[2].MPI_ERROR = FAKE_ERROR(MPI_ERR_PENDING);
    fake.error = FAKE_ERROR(MPI_ERR_IN_STATUS);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_live_operations(), 1);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}
