/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The workloads. Objects for a loop are made and freed inside the function: their cost is the same for any number of
 * iterations.
 */
#include "collective_workloads.h"
#include "object_workloads.h"
#include "poll_workloads.h"

#include <stdio.h>
#include <stdlib.h>

enum { TAG = 7, NEIGHBOURS = 4, STREAM_WINDOW = 64, FEW = 100, MANY = 10000 };

static int sent = 1;
static _Thread_local int received;

static void send_null(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++)
        traffic->calls->Send(&sent, 1, MPI_INT, MPI_PROC_NULL, TAG, traffic->communicator);
}

static void recv_null(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++)
        traffic->calls->Recv(&received, 1, MPI_INT, MPI_PROC_NULL, TAG, traffic->communicator, MPI_STATUS_IGNORE);
}

static void sendrecv_null(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++)
        traffic->calls->Sendrecv(&sent, 1, MPI_INT, MPI_PROC_NULL, TAG, &received, 1, MPI_INT, MPI_PROC_NULL, TAG,
                                 traffic->communicator, MPI_STATUS_IGNORE);
}

static void isend_wait_null(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        traffic->calls->Isend(&sent, 1, MPI_INT, MPI_PROC_NULL, TAG, traffic->communicator, &request);
        traffic->calls->Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void irecv_wait_null(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        traffic->calls->Irecv(&received, 1, MPI_INT, MPI_PROC_NULL, TAG, traffic->communicator, &request);
        traffic->calls->Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void isend_test_null(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        int flag = 0;
        traffic->calls->Isend(&sent, 1, MPI_INT, MPI_PROC_NULL, TAG, traffic->communicator, &request);
        while (!flag)
            traffic->calls->Test(&request, &flag, MPI_STATUS_IGNORE);
    }
}

static void start_wait_null(const struct traffic *traffic, int iterations)
{
    MPI_Request request;
    traffic->calls->Send_init(&sent, 1, MPI_INT, MPI_PROC_NULL, TAG, traffic->communicator, &request);
    for (int i = 0; i < iterations; i++) {
        traffic->calls->Start(&request);
        traffic->calls->Wait(&request, MPI_STATUS_IGNORE);
    }
    traffic->calls->Request_free(&request);
}

static void isend_recv(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        traffic->calls->Isend(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &request);
        traffic->calls->Recv(&received, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, MPI_STATUS_IGNORE);
        traffic->calls->Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void irecv_send_wait(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request request;
        traffic->calls->Irecv(&received, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &request);
        traffic->calls->Send(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator);
        traffic->calls->Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void exchange(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[2];
        traffic->calls->Irecv(&received, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[0]);
        traffic->calls->Isend(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[1]);
        traffic->calls->Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void exchange_any(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[2];
        traffic->calls->Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, traffic->communicator, &requests[0]);
        traffic->calls->Isend(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[1]);
        traffic->calls->Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void exchange_persistent(const struct traffic *traffic, int iterations)
{
    MPI_Request requests[2];
    traffic->calls->Recv_init(&received, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[0]);
    traffic->calls->Send_init(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[1]);
    for (int i = 0; i < iterations; i++) {
        traffic->calls->Startall(2, requests);
        traffic->calls->Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    traffic->calls->Request_free(&requests[0]);
    traffic->calls->Request_free(&requests[1]);
}

static void sendrecv(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++)
        traffic->calls->Sendrecv(&sent, 1, MPI_INT, traffic->peer, TAG, &received, 1, MPI_INT, traffic->peer, TAG,
                                 traffic->communicator, MPI_STATUS_IGNORE);
}

static void put_flush(const struct traffic *traffic, int iterations)
{
    int *memory;
    MPI_Win window;
    traffic->calls->Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, traffic->communicator, &memory,
                                 &window);
    traffic->calls->Win_lock_all(0, window);
    for (int i = 0; i < iterations; i++) {
        traffic->calls->Put(&sent, 1, MPI_INT, traffic->peer, 0, 1, MPI_INT, window);
        traffic->calls->Win_flush(traffic->peer, window);
    }
    traffic->calls->Win_unlock_all(window);
    traffic->calls->Win_free(&window);
}

/* One of `many` receives completes, and is posted again. */
static void waitsome_one_of(const struct traffic *traffic, int iterations, int many)
{
    static int values[MANY];
    static MPI_Request requests[MANY];
    static int indices[MANY];
    for (int i = 0; i < many; i++)
        traffic->calls->Irecv(&values[i], 1, MPI_INT, traffic->peer, i, traffic->communicator, &requests[i]);
    for (int i = 0; i < iterations; i++) {
        const int tag = i * 61 % many;
        int completed;
        traffic->calls->Send(&sent, 1, MPI_INT, traffic->peer, tag, traffic->communicator);
        traffic->calls->Waitsome(many, requests, &completed, indices, MPI_STATUSES_IGNORE);
        if (completed != 1 || indices[0] != tag) {
            fprintf(stderr, "%d receives completed, the first is %d, not one, %d\n", completed, indices[0], tag);
            exit(1);
        }
        traffic->calls->Irecv(&values[tag], 1, MPI_INT, traffic->peer, tag, traffic->communicator, &requests[tag]);
    }
    for (int i = 0; i < many; i++)
        traffic->calls->Send(&sent, 1, MPI_INT, traffic->peer, i, traffic->communicator);
    traffic->calls->Waitall(many, requests, MPI_STATUSES_IGNORE);
}

static void waitsome_one_of_few(const struct traffic *traffic, int iterations)
{
    waitsome_one_of(traffic, iterations, FEW);
}

static void waitsome_one_of_many(const struct traffic *traffic, int iterations)
{
    waitsome_one_of(traffic, iterations, MANY);
}

static void ping_pong(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++)
        for (int half = 0; half < 2; half++)
            if (traffic->rank == half)
                traffic->calls->Send(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator);
            else
                traffic->calls->Recv(&received, 1, MPI_INT, traffic->peer, TAG, traffic->communicator,
                                     MPI_STATUS_IGNORE);
}

/* As with the neighbours in two dimensions. */
static void exchange_with_four(const struct traffic *traffic, int iterations)
{
    static int values[NEIGHBOURS];
    MPI_Request requests[2 * NEIGHBOURS];
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < NEIGHBOURS; k++)
            traffic->calls->Irecv(&values[k], 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[k]);
        for (int k = 0; k < NEIGHBOURS; k++)
            traffic->calls->Isend(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator,
                                  &requests[NEIGHBOURS + k]);
        traffic->calls->Waitall(2 * NEIGHBOURS, requests, MPI_STATUSES_IGNORE);
    }
}

/* A window of messages one way, then a reply. */
static void stream(const struct traffic *traffic, int iterations)
{
    static int values[STREAM_WINDOW];
    MPI_Request requests[STREAM_WINDOW];
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < STREAM_WINDOW; k++)
            if (traffic->rank == 0)
                traffic->calls->Isend(&values[k], 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[k]);
            else
                traffic->calls->Irecv(&values[k], 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[k]);
        traffic->calls->Waitall(STREAM_WINDOW, requests, MPI_STATUSES_IGNORE);
        if (traffic->rank == 0)
            traffic->calls->Recv(&received, 1, MPI_INT, traffic->peer, TAG, traffic->communicator, MPI_STATUS_IGNORE);
        else
            traffic->calls->Send(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator);
    }
}

const struct workload workloads[] = {
    {"Send, null", 1, 1, 0, 2048, false, false, send_null},
    {"Recv, null", 1, 1, 0, 2048, false, false, recv_null},
    {"Sendrecv, null", 1, 2, 0, 2048, false, false, sendrecv_null},
    {"Isend Wait, null", 1, 0, 1, 2048, false, false, isend_wait_null},
    {"Irecv Wait, null", 1, 0, 1, 2048, false, false, irecv_wait_null},
    {"Isend Test, null", 1, 0, 1, 2048, false, false, isend_test_null},
    {"Start Wait, null", 1, 0, 1, 2048, false, false, start_wait_null},
    {"Isend Recv Wait, self", 1, 1, 1, 2048, false, false, isend_recv},
    {"Irecv Send Wait, self", 1, 1, 1, 2048, false, false, irecv_send_wait},
    {"Irecv Isend Waitall, self", 1, 0, 2, 2048, false, false, exchange},
    {"... from any source, tag", 1, 0, 2, 2048, false, false, exchange_any},
    {"4 Irecv Isend Waitall, self", 1, 0, 8, 512, false, false, exchange_with_four},
    {"Startall Waitall, self", 1, 0, 2, 2048, false, false, exchange_persistent},
    {"Sendrecv, self", 1, 2, 0, 2048, false, false, sendrecv},
    {"Test, nothing there", 1, 0, 0, 2048, false, false, test_nothing},
    {"Testall of 2, nothing there", 1, 0, 0, 2048, false, false, testall_nothing},
    {"Testany of 2, nothing there", 1, 0, 0, 2048, false, false, testany_nothing},
    {"Testsome of 2, nothing there", 1, 0, 0, 2048, false, false, testsome_nothing},
    {"Request_get_status, nothing", 1, 0, 0, 2048, false, false, request_get_status_nothing},
    {"Iprobe, nothing there", 1, 0, 0, 2048, false, false, iprobe_nothing},
    {"Improbe, nothing there", 1, 0, 0, 2048, false, false, improbe_nothing},
    {"Iprobe Test, nothing there", 1, 0, 0, 2048, false, false, iprobe_test_nothing},
    {"Iprobe Test Testall, nothing", 1, 0, 0, 2048, false, false, iprobe_test_testall_nothing},
    {"Barrier, self", 1, 1, 0, 2048, false, false, barrier},
    {"Allgatherv, self", 1, 0, 0, 2048, false, false, allgatherv},
    {"Ibarrier Wait, self", 1, 0, 1, 2048, false, false, ibarrier_wait},
    {"Iallreduce Wait, self", 1, 0, 1, 2048, false, false, iallreduce_wait},
    {"Type_vector commit free", 1, 0, 0, 512, true, false, make_datatype},
    {"Type_create_struct free", 1, 0, 0, 512, true, false, make_struct_datatype},
    {"Comm_dup Comm_free, self", 1, 0, 0, 512, true, false, make_communicator},
    {"Cart_create free, self", 1, 0, 0, 512, true, false, make_cartesian_communicator},
    {"Group_incl free", 1, 0, 0, 512, true, false, make_group},
    {"Op_create free", 1, 0, 0, 512, true, false, make_op},
    {"Comm_create_errhandler free", 1, 0, 0, 512, true, false, make_errhandler},
    {"Info_create set free", 1, 0, 0, 512, true, false, make_info},
    {"Comm_create_keyval free", 1, 0, 0, 512, true, false, make_keyval},
    {"Win_allocate free, self", 1, 0, 0, 64, true, false, make_window},
    {"File_open close, self", 1, 0, 0, 64, true, false, make_file},
#if MPI_VERSION >= 4
    {"Session_init finalize", 1, 0, 0, 64, true, false, make_session},
#endif
    {"Send Waitsome(100) Irecv", 1, 0, 0, 2048, false, true, waitsome_one_of_few},
    {"Send Waitsome(10,000) Irecv", 1, 0, 0, 64, false, true, waitsome_one_of_many},
    {"Send Recv, ping-pong", 2, 2, 0, 2048, false, false, ping_pong},
    {"Sendrecv", 2, 2, 0, 2048, false, false, sendrecv},
    {"Irecv Isend Waitall", 2, 0, 2, 2048, false, false, exchange},
    {"4 Irecv Isend Waitall", 2, 0, 8, 512, false, false, exchange_with_four},
    {"Startall Waitall", 2, 0, 2, 2048, false, false, exchange_persistent},
    {"64 Isend or Irecv, Waitall", 2, 0, 64, 64, false, false, stream},
    {"Barrier", 2, 1, 0, 2048, false, false, barrier},
    {"Ibarrier Wait", 2, 0, 1, 2048, false, false, ibarrier_wait},
    {"Put Win_flush", 2, 1, 0, 2048, true, false, put_flush},
};
const size_t workload_count = sizeof workloads / sizeof workloads[0];

struct traffic traffic_alone(const struct calls *calls)
{
    return (struct traffic){.calls = calls, .communicator = MPI_COMM_SELF};
}

struct traffic traffic_of_two(const struct calls *calls)
{
    struct traffic traffic = {.calls = calls, .communicator = MPI_COMM_WORLD};
    MPI_Comm_rank(MPI_COMM_WORLD, &traffic.rank);
    traffic.peer = 1 - traffic.rank;
    return traffic;
}
