/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads: their records, their ends, and operations that one starts and another completes.
 */
#include "inside.h"
#include "memory/memory.h"
#include "thread/thread.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(thread, .init = begin_mpi_multiple);

static char buffer[64];

static void run(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, function, argument), 0);
    pthread_join(thread, NULL);
}

static void *send_once(void *argument)
{
    fake.hook = look_inside;
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    *(struct mpilens_thread **)argument = shadow_thread();
    return NULL;
}

Test(thread, has_a_record_of_its_own_while_it_lives)
{
    struct mpilens_thread *other = NULL;
    run(send_once, &other);
    cr_assert_str_eq(inside.function, "MPI_Send");
    cr_assert_neq(inside.thread.index, shadow_thread()->index);
    cr_assert_eq(inside.operation.thread, inside.thread.index);
    cr_assert_eq(inside.operation.posted, ((uint64_t)inside.thread.index << 40) + 1);
    cr_assert_eq(other->state, MPILENS_THREAD_ENDED);
    cr_assert_geq(mpilens_process.tables[MPILENS_TABLE_THREADS].record_bytes, sizeof(struct mpilens_thread));
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 1, "its counts remain");
    end_mpi();
}

Test(thread, that_has_ended_gives_its_record_to_the_next)
{
    struct mpilens_thread *records[100];
    for (int i = 0; i < 100; i++)
        run(send_once, &records[i]);
    for (int i = 1; i < 100; i++)
        cr_assert_eq(records[i], records[0]);
    cr_assert_eq(records[0]->operations & ((UINT64_C(1) << 40) - 1), 100, "serials go on");
    cr_assert_eq(shadow_count(MPILENS_TABLE_THREADS, 0), 2);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 100);
    end_mpi();
}

static MPI_Request requests[3000];

static void *start_many(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3000; i++)
        MPI_Irecv(buffer, 1, MPI_INT, i % 4, i, MPI_COMM_WORLD, &requests[i]);
    return NULL;
}

Test(thread, may_complete_what_another_has_started_in_any_way)
{
    run(start_many, NULL);
    cr_assert_eq(shadow_live_operations(), 3000);
    for (int i = 0; i < 1000; i++) {
        fake.status = fake_status(i % 4, i, 4, false);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    cr_assert_eq(shadow_live_operations(), 2000);
    complete_all();
    for (int i = 1000; i < 3000; i += 50)
        MPI_Waitall(50, &requests[i], MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_live_operations(), 0);
    end_mpi();
}

static void *start_and_report(void *argument)
{
    MPI_Request request;
    MPI_Isend(buffer, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
    *(MPI_Request *)argument = request;
    return NULL;
}

Test(thread, gets_back_the_records_of_what_others_complete)
{
    for (int i = 0; i < 5000; i++) {
        MPI_Request request;
        run(start_and_report, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (i == 1500)
            cr_assert_lt(mpilens_process.tables[MPILENS_TABLE_OPERATIONS].chunk_count, 6);
    }
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_RETIRED, 0);
    cr_assert_neq(operation->thread, shadow_thread()->index);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < mpilens_process.tables[MPILENS_TABLE_OPERATIONS].chunk_count; i++)
        bytes +=
            ((const struct mpilens_chunk *)(uintptr_t)mpilens_process.tables[MPILENS_TABLE_OPERATIONS].directory)[i]
                .in_use;
    cr_assert_lt(bytes, 4000, "records are used again");
    end_mpi();
}

static void *cancel_persistent(void *argument)
{
    MPI_Request *request = argument;
    MPI_Start(request);
    fake.status = fake_status(2, 5, 4, false);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    MPI_Request_free(request);
    return NULL;
}

Test(thread, may_start_and_free_a_persistent_request_of_another)
{
    MPI_Request request;
    MPI_Recv_init(buffer, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
    run(cancel_persistent, &request);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1);
    end_mpi();
}

static void *send_often(void *argument)
{
    (void)argument;
    for (int i = 0; i < 1000; i++)
        MPI_Send(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    return NULL;
}

Test(thread, for_which_there_is_no_memory_takes_none)
{
    enum { LEFT = 100, BYTES_LEFT = 64 << 10 };
    void *last[LEFT];
    size_t taken = 0;
    mpilens_process.memory_limit = mpilens_process.memory_bytes;
    for (void *record = table_take_one(MPILENS_TABLE_OPERATIONS); record;
         record = table_take_one(MPILENS_TABLE_OPERATIONS))
        last[taken++ % LEFT] = record;
    cr_assert_geq(taken, LEFT);
    table_give_back(MPILENS_TABLE_OPERATIONS, last, LEFT);
    mpilens_process.memory_limit = mpilens_process.memory_bytes + BYTES_LEFT;
    run(send_often, NULL); /* records taken from now on are kept for all threads */
    const uint64_t bytes = mpilens_process.memory_bytes;
    const uint64_t untracked = mpilens_process.tables[MPILENS_TABLE_THREADS].untracked;
    run(send_often, NULL);
    cr_assert_eq(mpilens_process.memory_bytes, bytes);
    cr_assert_gt(mpilens_process.tables[MPILENS_TABLE_THREADS].untracked, untracked);
    cr_assert_lt(mpilens_process.tables[MPILENS_TABLE_THREADS].untracked, untracked + 100, "it does not ask each time");
    for (size_t i = 0; i < LEFT; i++)
        cr_assert_not_null(table_take_one(MPILENS_TABLE_OPERATIONS), "%zu", i);
    mpilens_process.memory_limit = 0;
    run(send_often, NULL);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 0), 1000);
}

/* Several threads that see to it that only one of them is in MPI at a time. */
static void begin_serialized(void)
{
    int provided;
    fake.rank = 1;
    fake.thread_level = MPI_THREAD_SERIALIZED;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
}

TestSuite(thread_of_several_in_turn, .init = begin_serialized);

static MPI_Request of_main[8];

static void *end_those_of_main(void *persistent)
{
    complete_all();
    MPI_Wait(&of_main[0], MPI_STATUS_IGNORE);
    MPI_Waitall(2, &of_main[1], MPI_STATUSES_IGNORE);
    MPI_Request_free(&of_main[3]);
    MPI_Waitall(4, &of_main[4], MPI_STATUSES_IGNORE);
    MPI_Start(persistent);
    return NULL;
}

Test(thread_of_several_in_turn, may_complete_what_another_has_started)
{
    MPI_Request persistent;
    MPI_Recv_init(buffer, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &persistent);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++) {
            fake.request = i >= 3 ? FAKE_COMPLETE_REQUEST : (MPI_Request)(0xac000001u + (unsigned)i);
            MPI_Isend(buffer, 1, MPI_INT, 2, i, MPI_COMM_WORLD, &of_main[i]);
        }
        run(end_those_of_main, &persistent);
        cr_assert_eq(shadow_live_operations(), 1, "round %d", round);
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->tag, 5);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    }
    cr_assert_not(mpilens__threads->requests.shared, "they have kept to their level");
    MPI_Request_free(&persistent);
    end_mpi();
}

static void end_thread(const struct fake_call *call)
{
    (void)call;
    pthread_exit(NULL);
}

static void *end_in_receive(void *argument)
{
    (void)argument;
    fake.hook = end_thread;
    MPI_Recv(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

Test(thread, that_ends_inside_a_call_leaves_nothing)
{
    run(end_in_receive, NULL);
    end_mpi();
}

static void receive_and_end(const struct fake_call *call)
{
    (void)call;
    end_in_receive(NULL);
}

static void *end_in_callback(void *argument)
{
    (void)argument;
    fake.hook = receive_and_end;
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    return NULL;
}

static void send_in_callback(const struct fake_call *call)
{
    (void)call;
    volatile int error = MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD); /* not the last thing: no jump */
    cr_assert_eq(error, MPI_SUCCESS);
}

static void *call_in_callback(void *argument)
{
    (void)argument;
    fake.hook = send_in_callback;
    MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    return NULL;
}

Test(thread, that_ends_inside_a_call_of_a_callback_leaves_nothing_to_the_next)
{
    for (int i = 0; i < 10; i++) {
        run(end_in_callback, NULL);
        run(call_in_callback, NULL);
    }
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 20);
    end_mpi();
}

Test(thread, of_a_child_process_records_nothing)
{
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    pid_t child = fork();
    if (child == 0) {
        unsigned calls = fake.calls;
        int error = MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        bool good = error == MPI_SUCCESS && fake.calls == calls + 2 && shadow_sent(MPI_COMM_WORLD, 2) == 1 &&
                    mpilens_process.pid != (uint32_t)getpid();
        _exit(good ? 0 : 1);
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    cr_assert_eq(mpilens_process.pid, (uint32_t)getpid());
    end_mpi();
}
