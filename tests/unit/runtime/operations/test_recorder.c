/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The order of operations, pending and in the flight recorder.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(recorder, .init = begin_mpi);

static char buffer[64];

Test(recorder, and_queues_follow_the_order_of_posting)
{
    MPI_Request requests[20];
    for (int i = 0; i < 20; i++)
        MPI_Irecv(buffer, i, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    for (size_t i = 0; i < 20; i++) {
        const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, i);
        cr_assert_eq(operation->tag, (int)i);
        cr_assert_eq(operation->request, (uint32_t)requests[i]);
        cr_assert_eq(operation->posted, ((uint64_t)shadow_thread()->index << 40) + i + 1);
        if (i > 0)
            cr_assert_geq(operation->posted_time, shadow_operation(MPILENS_OPERATION_PENDING, i - 1)->posted_time);
    }
    MPI_Waitall(20, requests, MPI_STATUSES_IGNORE);
    end_mpi();
}

Test(recorder, keeps_an_operation_until_256_more_have_completed)
{
    for (int i = 0; i < 2000; i++) {
        if (i % 2) {
            MPI_Request request;
            MPI_Isend(buffer, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else
            MPI_Send(buffer, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        if (i < 20 || (i > 250 && i < 262) || i % 250 == 0) { /* looking is slow */
            size_t kept = shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED);
            cr_assert_geq(kept, (size_t)(i < 255 ? i + 1 : 256));
            for (int back = 0; back < (i < 255 ? i + 1 : 256); back += 17) {
                const struct mpilens_operation *operation =
                    shadow_operation(MPILENS_OPERATION_RETIRED, kept - 1 - (size_t)back);
                cr_assert_eq(operation->tag, i - back);
            }
        }
    }
    cr_assert_geq(mpilens_process.recorder_capacity, 256);
    cr_assert_lt(mpilens_process.memory_bytes, 2 << 20, "steady state takes no memory");
    end_mpi();
}
