/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands between an application and the runtime, and does wrong what it is told to: at the n-th call of one function in
 * one rank it leaves the call out, makes it twice, changes its tag or root, or does not come back. Other calls are
 * jumps: their return addresses stay the application's, so places do not change.
 *
 *   MPILENS_FAULT=RANK,FUNCTION,CALL,ACTION the fault; the file MPILENS_FAULT_DONE is made when it is done
 *   MPILENS_FAULT_COUNTS=FILE                 instead: at its end, or at SIGTERM, rank N writes its numbers of calls to
 * FILE.N
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum action { NONE, LEAVE_OUT, TWICE, OTHER_TAG, OTHER_ROOT, SLEEP, LOOP, EXIT };

static const char *const actions[] = {"none", "leave_out", "twice", "other_tag", "other_root", "sleep", "loop", "exit"};

#define FUNCTIONS(X)                                                                                                   \
    X(Send)                                                                                                            \
    X(Ssend)                                                                                                           \
    X(Recv)                                                                                                            \
    X(Isend)                                                                                                           \
    X(Irecv)                                                                                                           \
    X(Sendrecv)                                                                                                        \
    X(Wait)                                                                                                            \
    X(Waitall)                                                                                                         \
    X(Waitany)                                                                                                         \
    X(Probe)                                                                                                           \
    X(Barrier)                                                                                                         \
    X(Bcast)                                                                                                           \
    X(Reduce) X(Allreduce) X(Gather) X(Gatherv) X(Scatter) X(Allgather) X(Allgatherv) X(Alltoall) X(Alltoallv) X(Scan)

enum function {
#define NUMBER(name) OF_##name,
    FUNCTIONS(NUMBER) FUNCTION_COUNT
};

static const char *const names[] = {
#define NAME(name) "MPI_" #name,
    FUNCTIONS(NAME)};

static long counts[FUNCTION_COUNT];
static long wanted_call;
static int wanted_function = -1;
static enum action wanted_action;

static int own_rank(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]) != NULL)
            return atoi(getenv(variables[i]));
    return -1;
}

static void write_counts(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", getenv("MPILENS_FAULT_COUNTS"), own_rank());
    FILE *file = fopen(path, "w");
    for (int i = 0; file != NULL && i < FUNCTION_COUNT; i++)
        if (counts[i] > 0)
            fprintf(file, "%s %ld\n", names[i], counts[i]);
    if (file != NULL)
        fclose(file);
}

static void write_and_end(int signal)
{
    (void)signal;
    write_counts();
    _exit(0);
}

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("MPILENS_FAULT");
    char function[64] = "", action[64] = "";
    int rank = -1;
    if (own_rank() >= 0 && getenv("MPILENS_FAULT_COUNTS") != NULL) {
        atexit(write_counts);
        signal(SIGTERM, write_and_end);
    }
    if (fault == NULL || sscanf(fault, "%d,%63[^,],%ld,%63s", &rank, function, &wanted_call, action) != 4 ||
        rank != own_rank())
        return;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (strcmp(names[i], function) == 0)
            wanted_function = i;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i], action) == 0)
            wanted_action = (enum action)i;
}

static void *next(enum function function)
{
    static void *found[FUNCTION_COUNT];
    if (found[function] == NULL)
        found[function] = dlsym(RTLD_NEXT, names[function]);
    return found[function];
}

/* The library calls some of its own functions by these names: only what the application calls is counted. */
static bool is_called_by_mpi(const void *caller)
{
    Dl_info place;
    if (dladdr(caller, &place) == 0 || place.dli_fname == NULL)
        return false;
    const char *end = strrchr(place.dli_fname, '/');
    const char *file = end != NULL ? end + 1 : place.dli_fname;
    return strncmp(file, "libmpi", 6) == 0 || strncmp(file, "mca_", 4) == 0 || strncmp(file, "libopen-", 8) == 0;
}

/* The fault of this call. */
static enum action look(enum function function, const void *caller)
{
    if (is_called_by_mpi(caller))
        return NONE;
    const long call = __atomic_add_fetch(&counts[function], 1, __ATOMIC_RELAXED);
    if ((int)function != wanted_function || call != wanted_call)
        return NONE;
    const char *done = getenv("MPILENS_FAULT_DONE");
    if (done != NULL)
        close(open(done, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    if (wanted_action == EXIT)
        _exit(0);
    while (wanted_action == SLEEP)
        pause();
    for (volatile long i = 0; wanted_action == LOOP; i++) {
    }
    return wanted_action;
}

#define OTHER_TAG_OF(tag)   ((tag) + (action == OTHER_TAG))
#define OTHER_ROOT_OF(root) ((root) == 0 && action == OTHER_ROOT ? 1 : action == OTHER_ROOT ? 0 : (root))

/* A wrapper: `left_out` is what its caller finds where the call is left out. */
#define WRAP(name, parameters, arguments, left_out)                                                                    \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        int(*const call) parameters = (int(*) parameters)next(OF_##name);                                              \
        const enum action action = look(OF_##name, __builtin_return_address(0));                                       \
        if (__builtin_expect(action == LEAVE_OUT, 0)) {                                                                \
            left_out;                                                                                                  \
            return MPI_SUCCESS;                                                                                        \
        }                                                                                                              \
        if (__builtin_expect(action == TWICE, 0))                                                                      \
            call arguments;                                                                                            \
        return call arguments;                                                                                         \
    }

WRAP(Send, (const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator),
     (buffer, count, type, peer, OTHER_TAG_OF(tag), communicator), )
WRAP(Ssend, (const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator),
     (buffer, count, type, peer, OTHER_TAG_OF(tag), communicator), )
WRAP(Recv, (void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Status *status),
     (buffer, count, type, peer, OTHER_TAG_OF(tag), communicator, status), )
WRAP(Isend,
     (const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator,
      MPI_Request *ret_request),
     (buffer, count, type, peer, OTHER_TAG_OF(tag), communicator, ret_request), *ret_request = MPI_REQUEST_NULL)
WRAP(Irecv,
     (void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm communicator, MPI_Request *ret_request),
     (buffer, count, type, peer, OTHER_TAG_OF(tag), communicator, ret_request), *ret_request = MPI_REQUEST_NULL)
WRAP(Sendrecv,
     (const void *sent, int sent_count, MPI_Datatype sent_type, int destination, int sent_tag, void *received,
      int received_count, MPI_Datatype received_type, int source, int received_tag, MPI_Comm communicator,
      MPI_Status *status),
     (sent, sent_count, sent_type, destination, OTHER_TAG_OF(sent_tag), received, received_count, received_type, source,
      received_tag, communicator, status), )
WRAP(Wait, (MPI_Request * request, MPI_Status *status), (request, status), )
WRAP(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses), )
WRAP(Waitany, (int count, MPI_Request requests[], int *ret_index, MPI_Status *status),
     (count, requests, ret_index, status), *ret_index = 0)
WRAP(Probe, (int peer, int tag, MPI_Comm communicator, MPI_Status *status),
     (peer, OTHER_TAG_OF(tag), communicator, status), )
WRAP(Barrier, (MPI_Comm communicator), (communicator), )
WRAP(Bcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator),
     (buffer, count, type, OTHER_ROOT_OF(root), communicator), )
WRAP(Reduce,
     (const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm communicator),
     (sent, received, count, type, op, OTHER_ROOT_OF(root), communicator), )
WRAP(Allreduce, (const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator),
     (sent, received, count, type, op, communicator), )
WRAP(Gather,
     (const void *sent, int sent_count, MPI_Datatype sent_type, void *received, int count, MPI_Datatype type, int root,
      MPI_Comm communicator),
     (sent, sent_count, sent_type, received, count, type, OTHER_ROOT_OF(root), communicator), )
WRAP(Gatherv,
     (const void *sent, int sent_count, MPI_Datatype sent_type, void *received, const int counts_[], const int places[],
      MPI_Datatype type, int root, MPI_Comm communicator),
     (sent, sent_count, sent_type, received, counts_, places, type, root, communicator), )
WRAP(Scatter,
     (const void *sent, int sent_count, MPI_Datatype sent_type, void *received, int count, MPI_Datatype type, int root,
      MPI_Comm communicator),
     (sent, sent_count, sent_type, received, count, type, OTHER_ROOT_OF(root), communicator), )
WRAP(Allgather,
     (const void *sent, int sent_count, MPI_Datatype sent_type, void *received, int count, MPI_Datatype type,
      MPI_Comm communicator),
     (sent, sent_count, sent_type, received, count, type, communicator), )
WRAP(Allgatherv,
     (const void *sent, int sent_count, MPI_Datatype sent_type, void *received, const int counts_[], const int places[],
      MPI_Datatype type, MPI_Comm communicator),
     (sent, sent_count, sent_type, received, counts_, places, type, communicator), )
WRAP(Alltoall,
     (const void *sent, int sent_count, MPI_Datatype sent_type, void *received, int count, MPI_Datatype type,
      MPI_Comm communicator),
     (sent, sent_count, sent_type, received, count, type, communicator), )
WRAP(Alltoallv,
     (const void *sent, const int sent_counts[], const int sent_places[], MPI_Datatype sent_type, void *received,
      const int counts_[], const int places[], MPI_Datatype type, MPI_Comm communicator),
     (sent, sent_counts, sent_places, sent_type, received, counts_, places, type, communicator), )
WRAP(Scan, (const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm communicator),
     (sent, received, count, type, op, communicator), )
