/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the root learns when MPI is first called and when it is initialized.
 */
#include "process/process.h"

#include "loader/debugger_symbols.h"
#include "loader/fortran_handle.h"
#include "memory/memory.h"
#include "memory/root.h"
#include "memory/texts.h"
#include "mpi/clock.h"
#include "mpi/functions.h"
#include "mpi/job_identity.h"
#include "mpi/quiet_errors.h"
#include "mpi/status_layout.h"
#include "objects/communicator.h"
#include "objects/datatype.h"
#include "objects/errhandler.h"
#include "objects/group.h"
#include "objects/info.h"
#include "objects/keyval.h"
#include "objects/op.h"
#include "objects/session.h"
#include "operations/operation.h"
#include "process/null_handle.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    mpilens_process.status_ignore = (uint64_t)(uintptr_t)MPI_STATUS_IGNORE;
    mpilens_process.statuses_ignore = (uint64_t)(uintptr_t)MPI_STATUSES_IGNORE;
    mpilens_process.status_layout[0] = status_layout();
    mpilens_process.handle_bytes = sizeof(MPI_Comm);
    mpilens_process.fortran_is_c = FORTRAN_IS_C;
    mpilens_process.recorder_capacity = RECORDER_CAPACITY;
    job_identity_find(mpilens_process.job_identity, sizeof mpilens_process.job_identity);
    memory_read_limit();
    mpilens_process.pid = (uint32_t)getpid();
    __atomic_store_n(&mpilens_process.state, MPILENS_PROCESS_INITIALIZING, __ATOMIC_RELEASE);
}

/* What is up: the process is as long as anything is. */
static bool has_world;
static uint32_t session_count;
static bool world_multiple; /* several threads have been asked for, or are allowed: programs may rely on either */

static void update_thread_sharing(void)
{
    threads_set_multiple(world_multiple || session_threads_multiple());
}

void process_initializing(int thread_level)
{
    /* Other threads may call MPI as soon as the real call has returned, before anything here runs. */
    if (thread_level != MPI_THREAD_MULTIPLE)
        return;
    world_multiple = true;
    update_thread_sharing();
}

void process_set_state(enum mpilens_process_state state)
{
    __atomic_store_n(&mpilens_process.state, state, __ATOMIC_RELEASE);
}

bool process_has_world(void)
{
    return __atomic_load_n(&has_world, __ATOMIC_ACQUIRE);
}

static uint32_t level_number(int thread_level)
{
    return thread_level == MPI_THREAD_SINGLE       ? 0
           : thread_level == MPI_THREAD_FUNNELED   ? 1
           : thread_level == MPI_THREAD_SERIALIZED ? 2
                                                   : 3;
}

uint64_t mpilens__status_bytes(const MPI_Status *status)
{
    MPI_Count count = 0;
    if (mpilens__real.MPI_Get_elements_x(status, MPI_BYTE, &count) != MPI_SUCCESS || count == MPI_UNDEFINED)
        return 0;
    return (uint64_t)count;
}

/* What is the same for the world and for sessions. */
static void learn_library(void)
{
    static bool learned;
    if (__atomic_exchange_n(&learned, true, __ATOMIC_ACQ_REL))
        return;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (mpilens__real.MPI_Get_library_version(version, &length) == MPI_SUCCESS)
        text_copy(mpilens_process.library_version, sizeof mpilens_process.library_version, version);
    fortran_handles_initialize();
    null_handles_initialize();
    datatypes_initialize(false);
    ops_initialize();
    errhandlers_initialize();
    groups_initialize();
    infos_initialize();
    keyvals_initialize();
}

/* Starts an operation that is complete at once: a barrier only of one process alone. */
static int start_complete(int kind, MPI_Comm communicator, MPI_Request *request)
{
    if (kind == 0)
        return mpilens__real.MPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, communicator, request);
    if (kind == 1 || communicator != MPI_COMM_SELF)
        return mpilens__real.MPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, communicator, request);
    return mpilens__real.MPI_Ibarrier(communicator, request);
}

/* A request that names two operations at a time is preallocated. */
void process_learn_requests(MPI_Comm communicator)
{
    static bool learned;
    if (__atomic_exchange_n(&learned, true, __ATOMIC_ACQ_REL))
        return;
    for (int kind = 0; kind < PREALLOCATED_REQUESTS; kind++) {
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        bool preallocated = start_complete(kind, communicator, &requests[0]) == MPI_SUCCESS &&
                            start_complete(kind, communicator, &requests[1]) == MPI_SUCCESS &&
                            requests[0] == requests[1];
        mpilens__preallocated_requests[kind] = HANDLE_VALUE(preallocated ? requests[0] : MPI_REQUEST_NULL);
        for (int i = 0; i < 2; i++)
            mpilens__real.MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

void process_initialized(void)
{
    if (process_has_world())
        return;
    int provided = MPI_THREAD_SINGLE;
    mpilens__real.MPI_Query_thread(&provided);
    if (session_count == 0 || level_number(provided) > mpilens_process.thread_level)
        mpilens_process.thread_level = level_number(provided);
    world_multiple = world_multiple || provided == MPI_THREAD_MULTIPLE;
    update_thread_sharing();
    process_learn_requests(MPI_COMM_SELF);
    fortran_handles_initialize();
    if (DATATYPES_MAY_BE_MISSING) { /* else the error handlers stay untouched: even a wrong program notices nothing */
        struct quiet_errors saved = quiet_errors_begin();
        datatypes_initialize(true);
        quiet_errors_end(&saved);
    }
    learn_library();
    infos_of_world_initialize();
    communicators_initialize();
    errhandlers_of_world_initialize();
    int rank = -1;
    int size = -1;
    mpilens__real.MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mpilens__real.MPI_Comm_size(MPI_COMM_WORLD, &size);
    mpilens_process.world_size = size;
    mpilens_process.world_rank = rank;
    process_note_clock();
    debugger_symbols_restore();
    __atomic_store_n(&has_world, true, __ATOMIC_RELEASE);
    process_set_state(MPILENS_PROCESS_RUNNING);
}

void process_finalizing(void)
{
    if (__atomic_load_n(&session_count, __ATOMIC_ACQUIRE) == 0)
        process_set_state(MPILENS_PROCESS_FINALIZING);
}

void process_finalized(bool succeeded)
{
    if (succeeded)
        __atomic_store_n(&has_world, false, __ATOMIC_RELEASE);
    process_set_state(succeeded && __atomic_load_n(&session_count, __ATOMIC_ACQUIRE) == 0 ? MPILENS_PROCESS_FINALIZED
                                                                                          : MPILENS_PROCESS_RUNNING);
}

/* Ranks as MPI_COMM_WORLD would say, where there may be none. */
static void learn_world_from_session(void)
{
    MPI_Group group;
    int rank = MPI_UNDEFINED;
    int size = -1;
    if (mpilens_process.world_size >= 0 || !session_world_group(&group))
        return;
    mpilens__real.MPI_Group_rank(group, &rank);
    mpilens__real.MPI_Group_size(group, &size);
    mpilens__real.MPI_Group_free(&group);
    mpilens_process.world_size = size;
    mpilens_process.world_rank = rank == MPI_UNDEFINED ? -1 : rank;
}

void process_session_begun(int32_t thread_level)
{
    uint32_t before = __atomic_fetch_add(&session_count, 1, __ATOMIC_ACQ_REL);
    uint32_t level = thread_level >= 0 ? (uint32_t)thread_level : level_number(MPI_THREAD_MULTIPLE);
    if ((before == 0 && !process_has_world()) || level > mpilens_process.thread_level)
        mpilens_process.thread_level = level;
    update_thread_sharing();
    learn_library();
    learn_world_from_session();
    process_note_clock();
    process_set_state(MPILENS_PROCESS_RUNNING);
}

void process_session_ending(void)
{
    if (__atomic_load_n(&session_count, __ATOMIC_ACQUIRE) <= 1 && !process_has_world())
        process_set_state(MPILENS_PROCESS_FINALIZING);
}

void process_session_over(bool succeeded)
{
    uint32_t left = __atomic_load_n(&session_count, __ATOMIC_ACQUIRE);
    while (succeeded && left > 0 &&
           !__atomic_compare_exchange_n(&session_count, &left, left - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
    bool last = succeeded && left <= 1;
    if (last)
        communicators_of_sessions_end();
    process_set_state(last && !process_has_world() ? MPILENS_PROCESS_FINALIZED : MPILENS_PROCESS_RUNNING);
}
