/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A list in the order of arrival, under one lock, with a published record for each message.
 */
#include "unexpected/unexpected.h"

#include "memory/memory.h"
#include "mpi/mpi_traits.h"

#include <pthread.h>

enum { BLOCK_BYTES = 4096 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct taken *first, **last = &first, *unused;
static uint64_t arrivals;
static uint64_t receivable; /* in the list, and not of a freed communicator */

/* The communicator that this thread frees, 0: none. */
static __thread uint64_t freeing;

void taken_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void taken_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static void add_block(void)
{
    struct taken *block = memory_map(BLOCK_BYTES);
    for (size_t i = 0; block != NULL && i < BLOCK_BYTES / sizeof *block; i++) {
        block[i].next = unused;
        unused = &block[i];
    }
}

struct taken *taken_reserve(void)
{
    if (unused == NULL)
        add_block();
    struct taken *taken = unused;
    if (taken == NULL)
        return NULL;
    taken->record = table_take_one(MPILENS_TABLE_UNEXPECTED);
    if (taken->record == NULL)
        return NULL;
    unused = taken->next;
    return taken;
}

void taken_give_back(struct taken *taken)
{
    table_give_back_one(MPILENS_TABLE_UNEXPECTED, taken->record);
    taken->next = unused;
    unused = taken;
}

void taken_publish(struct taken *taken, const struct mpilens_communicator *communicator)
{
    struct mpilens_unexpected *record = taken->record;
    record->source = taken->status.MPI_SOURCE;
    record->tag = taken->status.MPI_TAG;
    record->bytes = status_bytes(&taken->status);
    record->communicator = (uint64_t)(uintptr_t)communicator;
    record->arrival = ++arrivals;
    record->handle = HANDLE_VALUE(taken->message);
    record->taken_time = clock_ticks();
    taken->ends = false;
    __atomic_store_n(&record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    taken->next = NULL;
    *last = taken;
    last = &taken->next;
    receivable++;
}

bool taken_any(void)
{
    return receivable > 0;
}

static bool is_receivable(const struct taken *taken, uint64_t communicator)
{
    return taken->communicator == communicator && (!taken->ends || freeing == communicator);
}

/* Where the first one is that matches, or NULL. */
static struct taken **find(MPI_Comm communicator, int source, int tag)
{
    for (struct taken **link = &first; *link != NULL; link = &(*link)->next) {
        const struct taken *taken = *link;
        if (is_receivable(taken, HANDLE_VALUE(communicator)) &&
            (source == taken->status.MPI_SOURCE || source == MPI_ANY_SOURCE) &&
            (tag == taken->status.MPI_TAG || tag == MPI_ANY_TAG))
            return link;
    }
    return NULL;
}

static void unlink_taken(struct taken **link)
{
    struct taken *taken = *link;
    *link = taken->next;
    if (last == &taken->next)
        last = link;
    receivable--;
    if (receivable == 0)
        gate_leave(false);
}

bool taken_look(MPI_Comm communicator, int source, int tag, MPI_Status *ret_status)
{
    taken_lock();
    struct taken **link = find(communicator, source, tag);
    if (link != NULL && ret_status != MPI_STATUS_IGNORE)
        taken_copy_status(&(*link)->status, ret_status);
    taken_unlock();
    return link != NULL;
}

struct taken *taken_remove(MPI_Comm communicator, int source, int tag)
{
    taken_lock();
    struct taken **link = find(communicator, source, tag);
    struct taken *taken = link != NULL ? *link : NULL;
    if (taken != NULL) {
        unlink_taken(link);
        __atomic_store_n(&taken->record->state, 0, __ATOMIC_RELEASE);
    }
    taken_unlock();
    return taken;
}

void taken_over(struct taken *taken)
{
    taken_lock();
    taken_give_back(taken);
    taken_unlock();
}

void taken_return(struct taken *taken)
{
    taken_lock();
    struct taken **link = &first;
    while (*link != NULL && (*link)->record->arrival < taken->record->arrival)
        link = &(*link)->next;
    taken->next = *link;
    *link = taken;
    if (taken->next == NULL)
        last = &taken->next;
    receivable++;
    __atomic_store_n(&taken->record->state, MPILENS_OBJECT_LIVE, __ATOMIC_RELEASE);
    gate_leave(true);
    taken_unlock();
}

uint64_t taken_begin_free(MPI_Comm communicator)
{
    const uint64_t outer = freeing;
    taken_lock();
    for (struct taken *taken = first; taken != NULL; taken = taken->next)
        taken->ends = taken->ends || taken->communicator == HANDLE_VALUE(communicator);
    freeing = HANDLE_VALUE(communicator);
    taken_unlock();
    return outer;
}

/* Those that were there when the communicator was about to be freed: another one may have its handle by now. */
void taken_end_free(MPI_Comm communicator, bool freed, uint64_t outer)
{
    taken_lock();
    for (struct taken *taken = first; taken != NULL; taken = taken->next) {
        if (taken->communicator != HANDLE_VALUE(communicator) || !taken->ends)
            continue;
        taken->ends = false;
        if (!freed)
            continue;
        taken->communicator = 0;
        __atomic_store_n(&taken->record->state, MPILENS_OBJECT_FREED, __ATOMIC_RELEASE);
        receivable--;
    }
    freeing = outer;
    gate_leave(receivable > 0);
    taken_unlock();
}

void taken_copy_status(const MPI_Status *from, MPI_Status *ret_status)
{
    const int error = ret_status->MPI_ERROR;
    *ret_status = *from;
    ret_status->MPI_ERROR = error;
}
