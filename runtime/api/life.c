/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records how the world and sessions begin and end, and sets the state of the process.
 */
#include "api/api_internal.h"

#include "loader/loader.h"
#include "memory/memory.h"
#include "mpi/functions.h"
#include "mpi/mpi_traits.h"
#include "objects/objects.h"
#include "process/process.h"
#include "thread/thread.h"

/* Everything initialized besides the world; the process stays initialized as long as any of it does. */
static uint32_t session_count;
static bool world_multiple; /* several threads were requested or are allowed: programs may rely on either */

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

static uint32_t level_number(int thread_level)
{
    return thread_level == MPI_THREAD_SINGLE       ? 0
           : thread_level == MPI_THREAD_FUNNELED   ? 1
           : thread_level == MPI_THREAD_SERIALIZED ? 2
                                                   : 3;
}

static bool senders_come_in_turn(void)
{
    const void *const *part = resolve_symbol(MATCHING_PART, &mpilens_process);
    struct elf_object object;
    return part != NULL && elf_object_at(*part, &object) && takes_senders_in_turn(elf_object_name(&object));
}

/* Facts that the world and sessions share. */
static void learn_library(void)
{
    static bool learned;
    if (__atomic_exchange_n(&learned, true, __ATOMIC_ACQ_REL))
        return;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (mpilens__asked.MPI_Get_library_version(version, &length) == MPI_SUCCESS)
        text_copy(mpilens_process.library_version, sizeof mpilens_process.library_version, version);
    mpilens_process.senders_in_turn = senders_come_in_turn();
    fortran_handles_initialize();
    null_handles_initialize();
    datatypes_initialize(false);
    ops_initialize();
    errhandlers_initialize();
    groups_initialize();
    infos_initialize();
    keyvals_initialize();
}

void process_initialized(void)
{
    if (process_has_world())
        return;
    resolve_constants(&mpilens_process);
    if (HANDLE_VALUE(MPI_COMM_WORLD) == 0)
        return; /* nothing can be asked about it */
    int provided = MPI_THREAD_SINGLE;
    mpilens__asked.MPI_Query_thread(&provided);
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
    communicators_learn_errhandlers();
    int rank = -1;
    int size = -1;
    mpilens__asked.MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mpilens__asked.MPI_Comm_size(MPI_COMM_WORLD, &size);
    mpilens_process.world_size = size;
    mpilens_process.world_rank = rank;
    process_note_clock();
    black_box_note_modules();
    debugger_symbols_restore();
    process_set_has_world(true);
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
        process_set_has_world(false);
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
    mpilens__asked.MPI_Group_rank(group, &rank);
    mpilens__asked.MPI_Group_size(group, &size);
    mpilens__asked.MPI_Group_free(&group);
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
    resolve_constants(&mpilens_process);
    learn_library();
    learn_world_from_session();
    process_note_clock();
    black_box_note_modules();
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
