/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root before, during and after MPI, and with too little memory.
 */
#include "inside.h"
#include "thread/thread.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char buffer[64];

Test(process, root_is_readable_before_mpi_is_used)
{
    cr_assert_eq(memcmp(mpilens_process.magic, MPILENS_MAGIC, 8), 0);
    cr_assert_eq(mpilens_process.layout_major, MPILENS_LAYOUT_MAJOR);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_UNUSED);
    cr_assert_eq(mpilens_process.pid, 0);
    cr_assert_eq(mpilens_process.world_rank, -1);
    cr_assert_eq(mpilens_process.memory_bytes, 0);
    for (int kind = 0; kind < MPILENS_TABLE_COUNT; kind++)
        cr_assert_eq(mpilens_process.tables[kind].chunk_count, 0);
}

static uint32_t state_during;

static void look_at_state(const struct fake_call *call)
{
    look_inside(call);
    state_during = mpilens_process.state;
}

/* Every send gets the same request; receives and barriers get one of their own. */
static void share_sends(const struct fake_call *call)
{
    fake.hook = share_sends;
    if (strcmp(call->name, "MPI_Isend") == 0)
        fake.request = FAKE_COMPLETE_REQUEST;
}

Test(process, learns_requests_that_are_preallocated)
{
    fake.hook = share_sends;
    MPI_Init(NULL, NULL);
    cr_assert_eq(mpilens__preallocated_requests[0], HANDLE_VALUE(MPI_REQUEST_NULL));
    cr_assert_eq(mpilens__preallocated_requests[1], HANDLE_VALUE(FAKE_COMPLETE_REQUEST));
    cr_assert_eq(mpilens__preallocated_requests[2], HANDLE_VALUE(MPI_REQUEST_NULL));
}

Test(process, goes_through_its_states)
{
    fake.rank = 2;
    fake.hook = look_at_state;
    MPI_Init(NULL, NULL);
    cr_assert_str_eq(inside.function, "MPI_Init");
    cr_assert_eq(state_during, MPILENS_PROCESS_INITIALIZING);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_RUNNING);
    cr_assert_eq(mpilens_process.pid, (uint32_t)getpid());
    cr_assert_eq(mpilens_process.world_rank, 2);
    cr_assert_eq(mpilens_process.world_size, 4);
    cr_assert_eq(mpilens_process.thread_level, 0);
    cr_assert_eq(mpilens_process.any_source, MPI_ANY_SOURCE);
    cr_assert_eq(mpilens_process.any_tag, MPI_ANY_TAG);
    cr_assert_eq(mpilens_process.proc_null, MPI_PROC_NULL);
    cr_assert_eq(mpilens_process.request_null, (uint32_t)MPI_REQUEST_NULL);
    cr_assert_str_eq(mpilens_process.library_version, "fake MPI 1");
    cr_assert_neq(mpilens_process.clock_origin_realtime, 0);
    fake.hook = look_at_state;
    MPI_Finalize();
    cr_assert_str_eq(inside.function, "MPI_Finalize");
    cr_assert_eq(state_during, MPILENS_PROCESS_FINALIZING);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_FINALIZED);
}

Test(process, is_not_running_when_initialization_fails)
{
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    MPI_Init(NULL, NULL);
    cr_assert_eq(mpilens_process.state, MPILENS_PROCESS_INITIALIZING);
    cr_assert_eq(mpilens_process.world_rank, -1);
}

Test(process, aborting_is_visible, .init = begin_mpi)
{
    fake.hook = look_at_state;
    MPI_Abort(MPI_COMM_WORLD, 1);
    cr_assert_eq(state_during, MPILENS_PROCESS_ABORTING);
    cr_assert_str_eq(inside.function, "MPI_Abort");
}

static void send_inside(const struct fake_call *call)
{
    (void)call;
    volatile int error = MPI_Send(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* not the last thing: no jump */
    cr_assert_eq(error, MPI_SUCCESS);
}

Test(process, records_what_callbacks_do_while_it_finalizes, .init = begin_mpi)
{
    fake.hook = send_inside;
    MPI_Finalize();
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 0), 1);
}

static void library_calls_itself(const struct fake_call *call)
{
    MPI_Comm duplicate;
    (void)call;
    fake.communicator = (MPI_Comm)0x84000009;
    fake_library_duplicates(MPI_Comm_dup, MPI_COMM_WORLD, &duplicate);
}

Test(process, does_not_see_what_the_library_does_while_it_finalizes, .init = begin_mpi)
{
    fake.hook = library_calls_itself;
    MPI_Finalize();
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000009));
    cr_assert_eq(shadow_communicator(MPI_COMM_WORLD)->children, 0);
    cr_assert_null(shadow_leftover());
}

static void *initialize(void *required)
{
    int provided = -1;
    fake.rank = 1;
    fake.thread_level = MPI_THREAD_SERIALIZED;
    cr_assert_eq(MPI_Init_thread(NULL, NULL, *(const int *)required, &provided), MPI_SUCCESS);
    return NULL;
}

static void initialize_elsewhere(int required)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, initialize, &required), 0);
    pthread_join(thread, NULL);
}

Test(process, may_be_initialized_by_another_thread_than_the_main_one)
{
    initialize_elsewhere(MPI_THREAD_SERIALIZED);
    cr_assert_eq(mpilens_process.thread_level, 2);
    cr_assert_not(mpilens__threads->requests.shared);
    MPI_Request request;
    MPI_Irecv(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    cr_assert_eq(shadow_live_operations(), 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(process, that_asked_for_several_threads_may_have_them_though_mpi_says_no)
{
    initialize_elsewhere(MPI_THREAD_MULTIPLE);
    cr_assert_eq(mpilens_process.thread_level, 2, "what MPI provides");
    cr_assert(mpilens__threads->requests.shared);
}

Test(process, works_without_memory)
{
    MPI_Request requests[FAKE_ARRAY];
    MPI_Comm communicator;
    setenv("MPILENS_MEMORY_LIMIT", "1", 1);
    MPI_Init(NULL, NULL);
    for (int i = 0; i < FAKE_ARRAY; i++)
        cr_assert_eq(MPI_Irecv(buffer, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]), MPI_SUCCESS);
    unsigned calls = fake.calls;
    cr_assert_eq(MPI_Waitall(FAKE_ARRAY, requests, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    cr_assert_eq(requests[FAKE_ARRAY - 1], MPI_REQUEST_NULL);
    cr_assert_eq(MPI_Comm_dup(MPI_COMM_WORLD, &communicator), MPI_SUCCESS);
    cr_assert_eq(MPI_Barrier(communicator), MPI_SUCCESS);
    cr_assert_eq(fake.calls, calls + 3);
    cr_assert_eq(MPI_Finalize(), MPI_SUCCESS);
}

Test(process, counts_what_the_memory_limit_keeps_it_from_tracking)
{
    static MPI_Request requests[60000];
    setenv("MPILENS_MEMORY_LIMIT", "3M", 1);
    begin_mpi();
    for (int i = 0; i < 60000; i++)
        cr_assert_eq(MPI_Irecv(buffer, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]), MPI_SUCCESS);
    const struct mpilens_thread *thread = shadow_thread();
    size_t live = shadow_live_operations();
    cr_assert_gt(live, 4000);
    cr_assert_lt(live, 60000);
    cr_assert_eq(live + thread->untracked, 60000);
    cr_assert_leq(mpilens_process.memory_bytes, 3 << 20);
    fake.status = fake_status(0, 0, 4, false);
    fake.hook = look_inside;
    MPI_Recv(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cr_assert_str_eq(inside.function, "MPI_Recv");
    cr_assert_eq(inside.operation.state, MPILENS_OPERATION_PENDING, "blocking calls are always shown");
    MPI_Request two;
    cr_assert_eq(MPI_Isendrecv(buffer, 1, MPI_INT, 1, 0, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &two), MPI_SUCCESS);
    cr_assert_eq(shadow_live_operations(), live);
    MPI_Wait(&two, MPI_STATUS_IGNORE);
    for (int i = 0; i < 60000; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    end_mpi();
}

Test(process, leaves_no_live_record_after_a_program_that_frees_everything, .init = begin_mpi)
{
    for (int round = 0; round < 200; round++) {
        MPI_Comm communicator;
        MPI_Datatype datatype;
        MPI_Request requests[8], persistent;
        fake.communicator = (MPI_Comm)(0x84000002 + round % 3);
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        fake.datatype = (MPI_Datatype)(0xcc000001 + round % 5);
        MPI_Type_contiguous(2, MPI_INT, &datatype);
        MPI_Recv_init(buffer, 1, datatype, 2, 0, communicator, &persistent);
        for (int i = 0; i < 8; i++) {
            MPI_Irecv(buffer, 1, datatype, i % 4, i, communicator, &requests[i]);
            fake.statuses[i] = fake_status(i % 4, i, 8, false);
        }
        MPI_Start(&persistent);
        MPI_Allreduce(buffer, buffer + 8, 1, datatype, MPI_SUM, communicator);
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        fake.status = fake_status(2, 0, 8, false);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        MPI_Request_free(&persistent);
        MPI_Comm pending, meeting;
        MPI_Datatype duplicate, contents[] = {(MPI_Datatype)(0xcc000001 + round % 5)};
        int integers[1];
        MPI_Aint addresses[1];
        fake.communicator = (MPI_Comm)(0x84000012 + round % 3);
        MPI_Comm_idup(communicator, &pending, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        fake.communicator = (MPI_Comm)(0x84000022 + round % 3);
        MPI_Comm_accept("port", MPI_INFO_NULL, 0, pending, &meeting);
        MPI_Comm_disconnect(&meeting);
        fake.datatype = (MPI_Datatype)(0xcc000011 + round % 5);
        MPI_Type_dup(datatype, &duplicate);
        MPI_Type_commit(&duplicate);
        fake.contents = 1;
        fake.datatype = contents[0];
        MPI_Type_get_contents(duplicate, 1, 1, 1, integers, addresses, contents);
        MPI_Type_free(&contents[0]);
        MPI_Type_free(&duplicate);
        MPI_Comm_free(&pending);
        MPI_Type_free(&datatype);
        MPI_Comm_free(&communicator);
    }
    end_mpi();
    const char *leftover = shadow_leftover();
    cr_assert_null(leftover, "%s", leftover);
}

Test(process, may_start_others, .init = begin_mpi)
{
    MPI_Request request;
    MPI_Irecv(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    cr_assert_eq(WEXITSTATUS(system("exit 3")), 3);
    FILE *stream = popen("echo 5", "r");
    int number = 0;
    cr_assert_eq(fscanf(stream, "%d", &number), 1);
    cr_assert_eq(number, 5);
    pclose(stream);
    pid_t child = fork();
    if (child == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Finalize();
        _exit(mpilens_process.pid == (uint32_t)getpid() || mpilens_process.state != MPILENS_PROCESS_RUNNING ||
              shadow_live_operations() != 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    cr_assert_eq(status, 0, "the child is not inert");
    cr_assert_eq(shadow_live_operations(), 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}
