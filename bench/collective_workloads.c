/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Workloads of collective operations.
 */
#include "collective_workloads.h"

static int sent = 1;
static _Thread_local int received;

void barrier(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++)
        traffic->calls->Barrier(traffic->communicator);
}

void allgatherv(const struct traffic *traffic, int iterations)
{
    static const int counts[] = {1}, places[] = {0};
    for (int i = 0; i < iterations; i++)
        traffic->calls->Allgatherv(&sent, 1, MPI_INT, &received, counts, places, MPI_INT, traffic->communicator);
}

void ibarrier_wait(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        traffic->calls->Ibarrier(traffic->communicator, &request);
        traffic->calls->Wait(&request, MPI_STATUS_IGNORE);
    }
}

void iallreduce_wait(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        traffic->calls->Iallreduce(&sent, &received, 1, MPI_INT, MPI_SUM, traffic->communicator, &request);
        traffic->calls->Wait(&request, MPI_STATUS_IGNORE);
    }
}
