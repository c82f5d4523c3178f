/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: two generalized requests that nobody completes; a third was completed and is not waited for.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Request requests[2];
    MPI_Request complete;
    MPI_Init(&argc, &argv);
    expect_begin();
    expect_world();
    MPI_Grequest_start(query, release, cancel, NULL, &requests[0]); /* LINE(first) */
    MPI_Grequest_start(query, release, cancel, NULL, &requests[1]); /* LINE(second) */
    MPI_Grequest_start(query, release, cancel, NULL, &complete);    /* LINE(complete) */
    MPI_Grequest_complete(complete);
    expect_request(REQUEST(.request_class = "generalized", .function = "MPI_Grequest_start", .line = "first",
                           .request = &requests[0], .awaited = 1));
    expect_request(REQUEST(.request_class = "generalized", .function = "MPI_Grequest_start", .line = "second",
                           .request = &requests[1], .awaited = 1));
    expect_request(REQUEST(.request_class = "generalized", .function = "MPI_Grequest_start", .line = "complete",
                           .status = "complete", .request = &complete));
    expect_call("MPI_Waitall", "waitall");
    expect_ready();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
    MPI_Finalize();
    return 0;
}
