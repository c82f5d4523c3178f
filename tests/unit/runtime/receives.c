/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receives with known messages.
 */
#include "receives.h"

#include <criterion/criterion.h>

MPI_Request requests[REQUESTS];
struct mpilens_operation *operations[REQUESTS];

void post_receives(void)
{
    static char buffer[64];
    for (int i = 0; i < REQUESTS; i++) {
        MPI_Irecv(buffer, 20, MPI_CHAR, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests[i]);
        fake.statuses[i] = fake_status(i % 4, i, (uint64_t)(10 + i), false);
        fake.done[i] = false;
    }
    for (size_t i = 0; i < REQUESTS; i++)
        operations[i] = shadow_operation(MPILENS_OPERATION_PENDING, i);
}

void check_over(int i)
{
    cr_assert_eq(operations[i]->state, MPILENS_OPERATION_RETIRED, "request %d is not over", i);
    cr_assert_eq(operations[i]->actual_source, i % 4);
    cr_assert_eq(operations[i]->actual_tag, i);
    if (!(operations[i]->flags & MPILENS_OPERATION_TRUNCATED))
        cr_assert_eq(operations[i]->actual_bytes, 10 + (uint64_t)i);
}

void check_only_over(unsigned mask)
{
    for (int i = 0; i < REQUESTS; i++)
        if (mask >> i & 1)
            check_over(i);
        else
            cr_assert_eq(operations[i]->state, MPILENS_OPERATION_PENDING, "request %d is over", i);
}

void finish_receives(void)
{
    complete_all();
    MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    end_mpi();
}
