/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receives whose message is too long for them (MPI_ERR_TRUNCATE): it is gone.
 */
#include "receives.h"

#include <criterion/criterion.h>

TestSuite(truncated, .init = begin_mpi);

static char buffer[64], other_buffer[64];

static const struct mpilens_operation *only_truncated(void)
{
    const struct mpilens_operation *found = NULL;
    for (size_t i = 0; shadow_operation(MPILENS_OPERATION_RETIRED, i) != NULL; i++) {
        const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_RETIRED, i);
        if (!(operation->flags & MPILENS_OPERATION_TRUNCATED))
            continue;
        cr_assert_null(found, "two are");
        found = operation;
    }
    cr_assert_not_null(found);
    cr_assert(found->flags & MPILENS_OPERATION_RECEIVE);
    cr_assert_eq(found->actual_bytes, UINT64_MAX, "this library's status does not say it");
    return found;
}

Test(truncated, receive_has_received_all_the_same)
{
    fake.status = fake_status(2, 4, 100, false);
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    cr_assert_eq(MPI_Recv(buffer, 9, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                 FAKE_ERROR(MPI_ERR_TRUNCATE));
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1, "the message is gone");
    cr_assert_eq(only_truncated()->actual_source, 2);
    cr_assert_eq(only_truncated()->actual_tag, 4);
    end_mpi();
}

Test(truncated, receive_of_one_source_counts_there_where_the_status_is_not_set)
{
    fake.status = fake_status(1, 77, 100, false); /* of another message */
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Recv(buffer, 9, MPI_CHAR, 3, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 3), 1);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 1), 0);
    cr_assert_eq(only_truncated()->actual_source, 3);
    cr_assert_eq(only_truncated()->actual_tag, 5);
    end_mpi();
}

Test(truncated, record_is_not_so_when_it_is_used_again)
{
    fake.status = fake_status(2, 4, 9, false);
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Recv(buffer, 9, MPI_CHAR, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const struct mpilens_operation *record = only_truncated();
    for (int i = 0; i < 1000; i++)
        MPI_Recv(buffer, 9, MPI_CHAR, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cr_assert_gt(record->posted, 1);
    cr_assert(!(record->flags & MPILENS_OPERATION_TRUNCATED));
    end_mpi();
}

Test(truncated, receive_of_a_sendrecv_leaves_its_send_as_sent)
{
    fake.status = fake_status(2, 6, 100, false);
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Sendrecv(buffer, 1, MPI_INT, 1, 5, other_buffer, 2, MPI_CHAR, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 1), 1);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED), 2);
    cr_assert_eq(only_truncated()->actual_source, 2);
    end_mpi();
}

Test(truncated, receive_is_so_by_every_call_that_collects_it)
{
    int flag = 0, index = 0, count = 0, indices[REQUESTS];
    post_receives();
    fake.status = fake.statuses[0];
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    fake.status = fake.statuses[1];
    fake.flag = 1;
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
    fake.done[2] = true;
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Waitany(REQUESTS, requests, &index, MPI_STATUS_IGNORE);
    fake.done[3] = true;
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Testany(REQUESTS, requests, &index, &flag, MPI_STATUS_IGNORE);
    fake.done[4] = true;
    fake.statuses[4].MPI_ERROR = FAKE_ERROR(MPI_ERR_TRUNCATE);
    fake.error = FAKE_ERROR(MPI_ERR_IN_STATUS);
    MPI_Testsome(REQUESTS, requests, &count, indices, MPI_STATUSES_IGNORE);
    fake.done[5] = true;
    fake.statuses[5].MPI_ERROR = FAKE_ERROR(MPI_ERR_TRUNCATE);
    fake.error = FAKE_ERROR(MPI_ERR_IN_STATUS);
    MPI_Testall(REQUESTS, requests, &flag, MPI_STATUSES_IGNORE);
    check_only_over((1 << REQUESTS) - 1);
    for (int i = 0; i < REQUESTS; i++)
        cr_assert(operations[i]->flags & MPILENS_OPERATION_TRUNCATED, "request %d", i);
    end_mpi();
}

Test(truncated, receive_of_a_persistent_request_that_the_library_frees_then_leaves_none)
{
    MPI_Request persistent[2];
    for (int i = 0; i < 2; i++)
        MPI_Recv_init(buffer, 3, MPI_INT, i, i, MPI_COMM_WORLD, &persistent[i]);
    fake.error_frees_persistent = true;
    MPI_Startall(2, persistent);
    fake.status = fake_status(0, 0, 40, false);
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Wait(&persistent[0], MPI_STATUS_IGNORE);
    cr_assert_eq(only_truncated()->actual_source, 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PERSISTENT), 1);
    fake.statuses[1] = fake_status(1, 1, 40, false);
    fake.statuses[1].MPI_ERROR = FAKE_ERROR(MPI_ERR_TRUNCATE);
    fake.error = FAKE_ERROR(MPI_ERR_IN_STATUS);
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 1), 1);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PERSISTENT), 0);
    end_mpi();
}
