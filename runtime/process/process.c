/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills the root at the first MPI call, and answers other rooms about the process.
 */
#include "process/process.h"

#include "loader/loader.h"
#include "memory/memory.h"
#include "mpi/functions.h"
#include "mpi/mpi_traits.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void process_note_clock(void)
{
    kernel_tick_check();
    __atomic_store_n(&mpilens_process.clock_recent_monotonic, clock_nanoseconds(CLOCK_MONOTONIC), __ATOMIC_RELAXED);
    __atomic_store_n(&mpilens_process.clock_recent_ticks, clock_ticks(), __ATOMIC_RELAXED);
}

static void read_boot_id(char *text, size_t bytes)
{
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t count = file >= 0 ? read(file, text, bytes - 1) : -1;
    if (file >= 0)
        close(file);
    text[count > 0 ? count : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static void note_exit(int status, void *argument)
{
    (void)argument;
    if ((uint32_t)getpid() == mpilens_process.pid)
        mpilens_process.exit_status = 1 + ((uint32_t)status & 0xff);
}

/* After everything that the program does when it exits: MPI_Finalize may be among it. */
__attribute__((destructor)) static void end_black_box(void)
{
    if (mpilens_process.exit_status == 1 && mpilens_process.state == MPILENS_PROCESS_FINALIZED &&
        (uint32_t)getpid() == mpilens_process.pid)
        black_box_remove();
}

/* All that stays the same when the process becomes another program. */
static struct mpilens_box_process identify(void)
{
    struct mpilens_box_process process = {
        .version = MPILENS_BOX_VERSION, .pid = (uint32_t)getpid(), .started = job_identity_process_start()};
    if (gethostname(process.host, sizeof process.host - 1) != 0)
        process.host[0] = '\0';
    return process;
}

__attribute__((constructor)) static void end_earlier_black_box(void)
{
    if (getenv("MPILENS_KEEP") == NULL)
        return;
    const struct mpilens_box_process process = identify();
    black_box_remove_earlier(&process);
}

static void open_black_box(void)
{
    struct stat information;
    struct mpilens_box_process process = identify();
    process.uid = geteuid();
    process.root = (uint64_t)(uintptr_t)&mpilens_process;
    if (stat("/proc/self/ns/pid", &information) == 0)
        process.pid_namespace = information.st_ino;
    read_boot_id(process.boot_id, sizeof process.boot_id);
    memcpy(process.job_identity, mpilens_process.job_identity, sizeof process.job_identity);
    process.launcher_started = job_identity_launcher_start(&process.launcher_part);
    black_box_open(&process);
    if (mpilens_process.box_state == MPILENS_BOX_WHOLE)
        on_exit(note_exit, NULL);
}

void process_first_call(void)
{
    mpilens_process.functions = (uint64_t)(uintptr_t)mpilens__functions;
    mpilens_process.clock = CLOCK_KIND;
    kernel_tick_find();
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
    job_identity_find(mpilens_process.job_identity, sizeof mpilens_process.job_identity);
    memory_read_limit();
    mpilens_process.pid = (uint32_t)getpid();
    if (getenv("MPILENS_KEEP") != NULL)
        open_black_box();
    __atomic_store_n(&mpilens_process.state, MPILENS_PROCESS_INITIALIZING, __ATOMIC_RELEASE);
}

static bool has_world;

void process_set_state(enum mpilens_process_state state)
{
    __atomic_store_n(&mpilens_process.state, state, __ATOMIC_RELEASE);
}

bool process_has_world(void)
{
    return __atomic_load_n(&has_world, __ATOMIC_ACQUIRE);
}

void process_set_has_world(bool now)
{
    __atomic_store_n(&has_world, now, __ATOMIC_RELEASE);
}

/* Starts an operation that is complete at once: a barrier only of one process alone. */
static int start_complete(int kind, MPI_Comm communicator, MPI_Request *request)
{
    if (kind == 0)
        return mpilens__asked.MPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, communicator, request);
    if (kind == 1 || communicator != MPI_COMM_SELF)
        return mpilens__asked.MPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, communicator, request);
    return mpilens__asked.MPI_Ibarrier(communicator, request);
}

/* A request that names two operations at a time is preallocated. */
void process_learn_requests(MPI_Comm communicator)
{
    static bool learned;
    if (__atomic_exchange_n(&learned, true, __ATOMIC_ACQ_REL))
        return;
    for (int kind = 0; kind < LEARNED_REQUESTS; kind++) {
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        bool preallocated = start_complete(kind, communicator, &requests[0]) == MPI_SUCCESS &&
                            start_complete(kind, communicator, &requests[1]) == MPI_SUCCESS &&
                            requests[0] == requests[1];
        mpilens__preallocated_requests[kind] = HANDLE_VALUE(preallocated ? requests[0] : MPI_REQUEST_NULL);
        for (int i = 0; i < 2; i++)
            mpilens__asked.MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    for (int i = LEARNED_REQUESTS; i < PREALLOCATED_REQUESTS; i++) {
        void *named = resolve_symbol("ompi_request_empty_send", __builtin_return_address(0));
        mpilens__preallocated_requests[i] = named != NULL ? (uintptr_t)named : HANDLE_VALUE(MPI_REQUEST_NULL);
    }
}
