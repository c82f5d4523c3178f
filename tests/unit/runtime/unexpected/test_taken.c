/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The list of messages that were taken out: matching them, and their records in the table.
 */
#include "fake_mpi.h"
#include "shadow.h"
#include "unexpected/unexpected.h"

#include <criterion/criterion.h>
#include <pthread.h>

static const MPI_Comm other = (MPI_Comm)0x84000005;

static void begin(void)
{
    int provided;
    fake.thread_level = MPI_THREAD_SINGLE;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
}

TestSuite(taken, .init = begin);

/* As many bytes as its number. */
static void arrives(MPI_Comm communicator, int source, int tag, int number)
{
    taken_lock();
    struct taken *taken = taken_reserve();
    cr_assert_neq(taken, NULL);
    taken->communicator = HANDLE_VALUE(communicator);
    taken->message = (MPI_Message)number;
    taken->status = fake_status(source, tag, (uint64_t)number, false);
    taken_publish(taken, NULL);
    gate_leave(taken_any());
    taken_unlock();
}

static int looked_at(MPI_Comm communicator, int source, int tag)
{
    MPI_Status status;
    return taken_look(communicator, source, tag, &status) ? (int)status_bytes(&status) : 0;
}

static int received(MPI_Comm communicator, int source, int tag)
{
    struct taken *taken = taken_remove(communicator, source, tag);
    const int number = taken != NULL ? (int)taken->message : 0;
    if (taken != NULL)
        taken_over(taken);
    return number;
}

Test(taken, first_that_matches_is_received)
{
    arrives(MPI_COMM_WORLD, 1, 7, 1);
    arrives(other, 1, 7, 2);
    arrives(MPI_COMM_WORLD, 2, 7, 3);
    arrives(MPI_COMM_WORLD, 1, 8, 4);
    arrives(MPI_COMM_WORLD, 1, 7, 5);
    cr_expect_eq(looked_at(MPI_COMM_WORLD, 1, 9), 0);
    cr_expect_eq(looked_at(MPI_COMM_WORLD, MPI_PROC_NULL, MPI_ANY_TAG), 0);
    cr_expect_eq(looked_at(MPI_COMM_WORLD, MPI_ANY_SOURCE, 8), 4);
    cr_expect_eq(looked_at(MPI_COMM_WORLD, MPI_ANY_SOURCE, 8), 4, "it is still there");
    cr_expect_eq(received(MPI_COMM_WORLD, 2, MPI_ANY_TAG), 3);
    cr_expect_eq(received(MPI_COMM_WORLD, MPI_ANY_SOURCE, MPI_ANY_TAG), 1);
    cr_expect_eq(received(MPI_COMM_WORLD, 1, 7), 5);
    cr_expect_eq(received(other, MPI_ANY_SOURCE, 7), 2);
    cr_expect_eq(mpilens__gate, 1, "one is left");
    cr_expect_eq(received(MPI_COMM_WORLD, 1, MPI_ANY_TAG), 4);
    cr_expect_eq(mpilens__gate, 0);
    cr_expect_eq(shadow_count(MPILENS_TABLE_UNEXPECTED, MPILENS_OBJECT_LIVE), 0);
}

Test(taken, message_that_was_not_received_after_all_is_where_it_was)
{
    for (int i = 1; i <= 3; i++)
        arrives(MPI_COMM_WORLD, 1, 7, i);
    for (int i = 1; i <= 3; i++) {
        struct taken *first = taken_remove(MPI_COMM_WORLD, 1, 7);
        cr_assert_neq(first, NULL);
        cr_expect_eq(shadow_count(MPILENS_TABLE_UNEXPECTED, MPILENS_OBJECT_LIVE), (size_t)(3 - i));
        taken_return(first);
        cr_expect_eq(shadow_count(MPILENS_TABLE_UNEXPECTED, MPILENS_OBJECT_LIVE), (size_t)(4 - i));
        cr_expect_eq(mpilens__gate, 1);
        cr_expect_eq(received(MPI_COMM_WORLD, 1, 7), i);
    }
    arrives(MPI_COMM_WORLD, 1, 7, 9);
    cr_expect_eq(received(MPI_COMM_WORLD, 1, 7), 9, "the end of the list is where it was");
}

Test(taken, record_says_what_it_is)
{
    arrives(other, 3, 5, 12);
    const struct mpilens_unexpected *record = shadow_record(MPILENS_TABLE_UNEXPECTED, MPILENS_OBJECT_LIVE, 0);
    cr_assert_neq(record, NULL);
    cr_expect_eq(record->source, 3);
    cr_expect_eq(record->tag, 5);
    cr_expect_eq(record->bytes, 12);
    cr_expect_eq(record->handle, 12);
    cr_expect_eq(record->arrival, 1);
    cr_expect_neq(record->taken_time, 0);
}

Test(taken, messages_of_a_freed_communicator_are_nobodys)
{
    arrives(other, 1, 7, 1);
    arrives(MPI_COMM_WORLD, 1, 7, 2);
    taken_end_free(other, true, taken_begin_free(other));
    cr_expect_eq(shadow_count(MPILENS_TABLE_UNEXPECTED, MPILENS_OBJECT_FREED), 1);
    arrives(other, 1, 7, 3);
    cr_expect_eq(received(other, 1, 7), 3, "another one with the same handle has its own");
    cr_expect_eq(received(MPI_COMM_WORLD, 1, 7), 2);
    cr_expect_eq(mpilens__gate, 0, "the freed one's do not count");
    cr_expect_eq(received(other, MPI_ANY_SOURCE, MPI_ANY_TAG), 0);
}

Test(taken, next_communicator_has_the_handle_before_the_call_that_freed_the_last_has_returned)
{
    arrives(other, 1, 7, 1);
    const uint64_t outer = taken_begin_free(other);
    arrives(other, 1, 7, 2);
    taken_end_free(other, true, outer);
    cr_expect_eq(received(other, 1, 7), 2);
    cr_expect_eq(mpilens__gate, 0);
}

static void *look_elsewhere(void *ret_number)
{
    *(int *)ret_number = looked_at(other, 1, 7);
    return NULL;
}

Test(taken, thread_that_frees_a_communicator_receives_its_messages_meanwhile)
{
    pthread_t thread;
    int found = -1;
    arrives(MPI_COMM_WORLD, 1, 7, 1);
    arrives(other, 1, 7, 2);
    arrives(other, 1, 7, 3);
    const uint64_t outer = taken_begin_free(other);
    taken_end_free(MPI_COMM_WORLD, true, taken_begin_free(MPI_COMM_WORLD));
    cr_assert_eq(pthread_create(&thread, NULL, look_elsewhere, &found), 0);
    pthread_join(thread, NULL);
    cr_expect_eq(found, 0, "another thread means another communicator");
    cr_expect_eq(received(other, 1, 7), 2);
    taken_end_free(other, true, outer);
    cr_expect_eq(received(other, 1, 7), 0);
    cr_expect_eq(mpilens__gate, 0);
}

Test(taken, communicator_that_was_not_freed_after_all_has_its_messages)
{
    arrives(other, 1, 7, 1);
    taken_end_free(other, false, taken_begin_free(other));
    cr_expect_eq(mpilens__gate, 1);
    cr_expect_eq(looked_at(other, 1, 7), 1);
    cr_expect_eq(received(other, 1, 7), 1);
}
