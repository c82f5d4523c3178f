/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests and probes that find nothing.
 */
#include "poll_workloads.h"

enum { TAG = 7, OTHER_TAG = 8 };

static _Thread_local int values[2];

static void post(const struct traffic *traffic, MPI_Request requests[2])
{
    for (int i = 0; i < 2; i++)
        traffic->calls->Irecv(&values[i], 1, MPI_INT, traffic->peer, TAG, traffic->communicator, &requests[i]);
}

static void collect(const struct traffic *traffic, MPI_Request requests[2])
{
    const int sent = 1;
    for (int i = 0; i < 2; i++)
        traffic->calls->Send(&sent, 1, MPI_INT, traffic->peer, TAG, traffic->communicator);
    traffic->calls->Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* A function that makes these calls again and again, on two requests that are not complete. */
#define POLLS(name, ...)                                                                                               \
    void name(const struct traffic *traffic, int iterations)                                                           \
    {                                                                                                                  \
        const struct calls *calls = traffic->calls;                                                                    \
        MPI_Request requests[2];                                                                                       \
        post(traffic, requests);                                                                                       \
        for (int i = 0; i < iterations; i++) {                                                                         \
            int flag, indices[2];                                                                                      \
            MPI_Message message;                                                                                       \
            (void)flag, (void)indices, (void)message;                                                                  \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
        collect(traffic, requests);                                                                                    \
    }

#define TEST    calls->Test(&requests[0], &flag, MPI_STATUS_IGNORE)
#define TESTALL calls->Testall(2, requests, &flag, MPI_STATUSES_IGNORE)
#define IPROBE  calls->Iprobe(MPI_ANY_SOURCE, OTHER_TAG, traffic->communicator, &flag, MPI_STATUS_IGNORE)

POLLS(test_nothing, TEST)
POLLS(testall_nothing, TESTALL)
POLLS(testany_nothing, calls->Testany(2, requests, indices, &flag, MPI_STATUS_IGNORE))
POLLS(testsome_nothing, calls->Testsome(2, requests, &flag, indices, MPI_STATUSES_IGNORE))
POLLS(request_get_status_nothing, calls->Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE))
POLLS(iprobe_nothing, IPROBE)
POLLS(improbe_nothing,
      calls->Improbe(MPI_ANY_SOURCE, OTHER_TAG, traffic->communicator, &flag, &message, MPI_STATUS_IGNORE))
POLLS(iprobe_test_nothing, IPROBE, TEST)
POLLS(iprobe_test_testall_nothing, IPROBE, TEST, TESTALL)
