/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the root learns when MPI is first called and when it is initialized.
 */
#include "process.h"

#include "clock.h"
#include "communicator.h"
#include "datatype.h"
#include "functions.h"
#include "memory.h"
#include "operation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void text_copy(char *field, size_t bytes, const char *text)
{
    size_t length = text ? strnlen(text, bytes - 1) : 0;
    if (length > 0)
        memcpy(field, text, length);
    memset(field + length, 0, bytes - length);
}

void process_note_clock(void)
{
    __atomic_store_n(&mpilens_process.clock_recent_monotonic, clock_nanoseconds(CLOCK_MONOTONIC), __ATOMIC_RELAXED);
    __atomic_store_n(&mpilens_process.clock_recent_ticks, clock_ticks(), __ATOMIC_RELAXED);
}

void process_first_call(void)
{
    mpilens_process.functions = (uint64_t)(uintptr_t)mpilens__functions;
    mpilens_process.clock = CLOCK_KIND;
    process_note_clock();
    mpilens_process.clock_origin_ticks = mpilens_process.clock_recent_ticks;
    mpilens_process.clock_origin_monotonic = mpilens_process.clock_recent_monotonic;
    mpilens_process.clock_origin_realtime = clock_nanoseconds(CLOCK_REALTIME);
    mpilens_process.request_bytes = sizeof(MPI_Request);
    mpilens_process.request_null = HANDLE_VALUE(MPI_REQUEST_NULL);
    mpilens_process.any_source = MPI_ANY_SOURCE;
    mpilens_process.any_tag = MPI_ANY_TAG;
    mpilens_process.proc_null = MPI_PROC_NULL;
    mpilens_process.root = MPI_ROOT;
    mpilens_process.undefined = MPI_UNDEFINED;
    mpilens_process.recorder_capacity = RECORDER_CAPACITY;
    memory_read_limit();
    mpilens_process.pid = (uint32_t)getpid();
    __atomic_store_n(&mpilens_process.state, MPILENS_PROCESS_INITIALIZING, __ATOMIC_RELEASE);
}

void process_initializing(int thread_level)
{
    /* Other threads may call MPI as soon as the real call has returned, before anything here runs. */
    if (thread_level == MPI_THREAD_MULTIPLE)
        threads_set_multiple(true);
}

void process_set_state(enum mpilens_process_state state)
{
    __atomic_store_n(&mpilens_process.state, state, __ATOMIC_RELEASE);
}

uint64_t mpilens__status_bytes(const MPI_Status *status)
{
    MPI_Count count = 0;
    if (mpilens__real.MPI_Get_elements_x(status, MPI_BYTE, &count) != MPI_SUCCESS || count == MPI_UNDEFINED)
        return 0;
    return (uint64_t)count;
}

static uint32_t level_number(int thread_level)
{
    return thread_level == MPI_THREAD_SINGLE       ? 0
           : thread_level == MPI_THREAD_FUNNELED   ? 1
           : thread_level == MPI_THREAD_SERIALIZED ? 2
                                                   : 3;
}

/* Libraries with one preallocated request for all that is complete at once show it here. */
static void learn_request_of_null_process(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (mpilens__real.MPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request) != MPI_SUCCESS)
        return;
    mpilens__request_of_null_process = HANDLE_VALUE(request);
    mpilens__real.MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void process_initialized(void)
{
    if (mpilens_process.state >= MPILENS_PROCESS_RUNNING)
        return;
    int provided = MPI_THREAD_SINGLE;
    mpilens__real.MPI_Query_thread(&provided);
    mpilens_process.thread_level = level_number(provided);
    threads_set_multiple(provided == MPI_THREAD_MULTIPLE);
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (mpilens__real.MPI_Get_library_version(version, &length) == MPI_SUCCESS)
        text_copy(mpilens_process.library_version, sizeof mpilens_process.library_version, version);
    learn_request_of_null_process();
    datatypes_initialize();
    communicators_initialize();
    int rank = -1;
    int size = -1;
    mpilens__real.MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mpilens__real.MPI_Comm_size(MPI_COMM_WORLD, &size);
    mpilens_process.world_size = size;
    mpilens_process.world_rank = rank;
    process_note_clock();
    __atomic_store_n(&mpilens_process.state, MPILENS_PROCESS_RUNNING, __ATOMIC_RELEASE);
}
