/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests of every kind, each completed or freed, then MPI_Finalize, then a pause: nothing is left.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

#include <stdlib.h>

enum { space = 4096 };

static int nothing(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)complete;
    return nothing(state);
}

int main(int argc, char **argv)
{
    int values[16] = {0}, index, flag, bytes;
    void *buffer;
    MPI_Request requests[8];
    MPI_Status statuses[8];
    MPI_Message message;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    struct expected_communicator *world = expect_world();
    expect_collective(world, "barrier", 1, 0);
    expect_collective(world, "allreduce", 1, 0);
    expect_collective(world, "broadcast", 1, 0);
    int other = 1 - rank;
    MPI_Buffer_attach(malloc(space), space);
    for (int i = 0; i < 4; i++) {
        MPI_Irecv(&values[i], 1, MPI_INT, other, i, comm, &requests[i]);
        MPI_Isend(&values[8 + i], 1, MPI_INT, other, i, comm, &requests[4 + i]);
    }
    MPI_Waitany(8, requests, &index, statuses);
    MPI_Waitall(8, requests, statuses);
    MPI_Ibsend(values, 1, MPI_INT, other, 5, comm, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Mprobe(other, 5, comm, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(values, 1, MPI_INT, &message, &requests[0]);
    MPI_Irecv(values, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[1]);
    MPI_Irecv(values, 1, MPI_INT, other, 6, comm, &requests[2]);
    MPI_Cancel(&requests[2]);
    MPI_Waitall(3, requests, statuses);
    MPI_Recv_init(values, 1, MPI_INT, other, 7, comm, &requests[0]);
    MPI_Send_init(&values[1], 1, MPI_INT, other, 7, comm, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Ibarrier(comm, &requests[0]);
    MPI_Iallreduce(&values[0], &values[1], 1, MPI_INT, MPI_SUM, comm, &requests[1]);
    MPI_Ibcast(&values[2], 1, MPI_INT, 0, comm, &requests[2]);
    do {
        MPI_Testall(3, requests, &flag, statuses);
    } while (!flag);
    MPI_Grequest_start(query, nothing, cancel, NULL, &requests[0]);
    MPI_Grequest_complete(requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    expect_finalized();
    MPI_Finalize();
    expect_ready();
    expect_pause();
}
