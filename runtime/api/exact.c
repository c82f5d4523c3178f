/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ends of calls that have found their message among those that were taken out.
 */
#include "api/api_internal.h"

#include "memory/memory.h"
#include "objects/objects.h"
#include "operations/operations.h"

#include <pthread.h>

/* Sends that are under way, and free places. */
struct left_send {
    struct packed_copy copy;
    MPI_Request send; /* MPI_REQUEST_NULL: free */
    struct left_send *next;
};

enum { BLOCK_BYTES = 4096 };

static pthread_mutex_t left_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct left_send *left_sends;

int exact_received(struct taken *taken, int error)
{
    if (error != MPI_SUCCESS && taken->message != MPI_MESSAGE_NULL && !error_is_truncation(error))
        taken_return(taken);
    else
        taken_over(taken);
    question_end();
    return error;
}

void exact_refused(struct taken *taken)
{
    taken_return(taken);
    question_end();
}

/* Locked. The places of those that are sent are free again. Returns one, or NULL: no memory. */
static struct left_send *free_place(void)
{
    struct left_send *place = NULL;
    for (struct left_send *left = left_sends; left != NULL; left = left->next) {
        int sent = left->send == MPI_REQUEST_NULL;
        if (!sent && mpilens__library.MPI_Test(&left->send, &sent, MPI_STATUS_IGNORE) == MPI_SUCCESS && sent)
            packed_copy_clear(&left->copy);
        if (sent)
            place = left;
    }
    struct left_send *block = place == NULL ? memory_map(BLOCK_BYTES) : NULL;
    for (size_t i = 0; block != NULL && i < BLOCK_BYTES / sizeof *block; i++) {
        block[i].send = MPI_REQUEST_NULL;
        block[i].next = left_sends;
        place = left_sends = &block[i];
    }
    return place;
}

void exact_leave_to_be_sent(const struct packed_copy *copy, MPI_Request send)
{
    if (send == MPI_REQUEST_NULL)
        return;
    pthread_mutex_lock(&left_mutex);
    struct left_send *place = free_place();
    if (place != NULL) {
        place->copy = *copy;
        place->send = send;
    } else
        mpilens__library.MPI_Request_free(&send);
    pthread_mutex_unlock(&left_mutex);
}

void exact_probed(struct taken *taken, MPI_Message *ret_message, MPI_Status *ret_status)
{
    *ret_message = taken->message;
    if (ret_status != MPI_STATUS_IGNORE)
        taken_copy_status(&taken->status, ret_status);
    taken_over(taken);
    question_end();
}

int exact_start_all(int count, MPI_Request *requests)
{
    int error = MPI_SUCCESS;
    for (int i = 0; i < count && error == MPI_SUCCESS; i++)
        error = persistent_receive_start(&requests[i]);
    return error;
}

uint64_t exact_begin_free(MPI_Comm communicator)
{
    struct mpilens_communicator *record = communicator_find(HANDLE_VALUE(communicator));
    if (record != NULL)
        __atomic_fetch_or(&record->flags, MPILENS_COMMUNICATOR_ENDING, __ATOMIC_RELEASE);
    return taken_begin_free(communicator);
}

void exact_end_free(MPI_Comm communicator, bool freed, uint64_t outer)
{
    struct mpilens_communicator *record = freed ? NULL : communicator_find(HANDLE_VALUE(communicator));
    taken_end_free(communicator, freed, outer);
    if (record != NULL)
        __atomic_fetch_and(&record->flags, ~MPILENS_COMMUNICATOR_ENDING, __ATOMIC_RELEASE);
}
