/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments of persistent receives, by request.
 */
#include "unexpected/unexpected.h"

#include "memory/memory.h"

#include <pthread.h>
#include <string.h>

enum { BLOCK_BYTES = 4096 };

struct persistent_receive {
    void *buffer;
    MPI_Count count;
    MPI_Datatype datatype; /* our own copy: the application may free its one */
    int source, tag;
    MPI_Comm communicator;
    MPI_Request stand_in; /* MPI_REQUEST_NULL: none */
    struct persistent_receive *next;
};

uint64_t mpilens__stand_ins;

static struct handle_map receives = HANDLE_MAP_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct persistent_receive *unused;

static struct persistent_receive *take_record(void)
{
    pthread_mutex_lock(&mutex);
    if (unused == NULL) {
        struct persistent_receive *block = memory_map(BLOCK_BYTES);
        for (size_t i = 0; block != NULL && i < BLOCK_BYTES / sizeof *block; i++) {
            block[i].next = unused;
            unused = &block[i];
        }
    }
    struct persistent_receive *record = unused;
    if (record != NULL)
        unused = record->next;
    pthread_mutex_unlock(&mutex);
    return record;
}

static void give_back(struct persistent_receive *record)
{
    if (record->datatype != MPI_DATATYPE_NULL)
        mpilens__library.MPI_Type_free(&record->datatype);
    pthread_mutex_lock(&mutex);
    record->next = unused;
    unused = record;
    pthread_mutex_unlock(&mutex);
}

/* One element of it, without its attributes, whose callbacks are the application's. */
static bool copy_datatype(MPI_Datatype datatype, MPI_Datatype *ret_copy)
{
    *ret_copy = MPI_DATATYPE_NULL;
    return mpilens__library.MPI_Type_contiguous(1, datatype, ret_copy) == MPI_SUCCESS &&
           mpilens__library.MPI_Type_commit(ret_copy) == MPI_SUCCESS;
}

void persistent_receive_made(void *buffer, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                             MPI_Comm communicator, MPI_Request request)
{
    struct persistent_receive *record = take_record();
    if (record == NULL || !copy_datatype(datatype, &record->datatype)) {
        question_all_for_ever(); /* its message could not be given to it */
        if (record != NULL)
            give_back(record);
        return;
    }
    record->buffer = buffer;
    record->count = count;
    record->source = source;
    record->tag = tag;
    record->communicator = communicator;
    record->stand_in = MPI_REQUEST_NULL;
    if (!handle_map_set(&receives, HANDLE_VALUE(request), record))
        question_all_for_ever();
}

static int start_matched(struct persistent_receive *record, struct taken *taken)
{
#ifdef HAS_MPI_Imrecv_c
    const int error = mpilens__library.MPI_Imrecv_c(record->buffer, record->count, record->datatype, &taken->message,
                                                    &record->stand_in);
#else
    const int error = mpilens__library.MPI_Imrecv(record->buffer, (int)record->count, record->datatype, &taken->message,
                                                  &record->stand_in);
#endif
    if (error != MPI_SUCCESS && taken->message != MPI_MESSAGE_NULL) {
        record->stand_in = MPI_REQUEST_NULL;
        taken_return(taken);
        return error;
    }
    taken_over(taken);
    if (error == MPI_SUCCESS)
        __atomic_fetch_add(&mpilens__stand_ins, 1, __ATOMIC_RELEASE);
    return error;
}

int persistent_receive_start(MPI_Request *request)
{
    struct persistent_receive *record = handle_map_find(&receives, HANDLE_VALUE(*request));
    struct taken *taken = record != NULL ? taken_remove(record->communicator, record->source, record->tag) : NULL;
    if (taken == NULL)
        return mpilens__library.MPI_Start(request);
    return start_matched(record, taken);
}

MPI_Request persistent_receive_stand_in(MPI_Request request)
{
    const struct persistent_receive *record =
        request != MPI_REQUEST_NULL ? handle_map_find(&receives, HANDLE_VALUE(request)) : NULL;
    return record != NULL && record->stand_in != MPI_REQUEST_NULL ? record->stand_in : request;
}

static void end_stand_in(MPI_Request request)
{
    struct persistent_receive *record = handle_map_find(&receives, HANDLE_VALUE(request));
    record->stand_in = MPI_REQUEST_NULL;
    __atomic_fetch_sub(&mpilens__stand_ins, 1, __ATOMIC_RELEASE);
}

void persistent_receive_freeing(MPI_Request request)
{
    struct persistent_receive *record =
        request != MPI_REQUEST_NULL ? handle_map_find(&receives, HANDLE_VALUE(request)) : NULL;
    if (record == NULL)
        return;
    if (record->stand_in != MPI_REQUEST_NULL) {
        mpilens__library.MPI_Request_free(&record->stand_in);
        __atomic_fetch_sub(&mpilens__stand_ins, 1, __ATOMIC_RELEASE);
    }
    handle_map_remove(&receives, HANDLE_VALUE(request), record);
    give_back(record);
}

/* Two halves: the requests given to MPI, and the application's requests in their places. Handles of completed MPI
 * requests may belong to another thread by now, even to a persistent receive. */
int stand_ins_begin(struct stand_ins *ret_stand_ins, int count, MPI_Request *requests)
{
    *ret_stand_ins = (struct stand_ins){.requests = requests};
    if (count <= 0 || requests == NULL)
        return MPI_SUCCESS;
    if (!memory_reserve(&ret_stand_ins->memory, &ret_stand_ins->memory_bytes, 2 * (size_t)count * sizeof *requests))
        return MPI_ERR_NO_MEM;
    ret_stand_ins->requests = ret_stand_ins->memory;
    MPI_Request *replaced = ret_stand_ins->requests + count;
    for (int i = 0; i < count; i++) {
        ret_stand_ins->requests[i] = persistent_receive_stand_in(requests[i]);
        replaced[i] = ret_stand_ins->requests[i] != requests[i] ? requests[i] : MPI_REQUEST_NULL;
    }
    return MPI_SUCCESS;
}

void stand_ins_end(struct stand_ins *stand_ins, int count, MPI_Request *requests)
{
    if (stand_ins->memory == NULL)
        return;
    const MPI_Request *replaced = stand_ins->requests + count;
    for (int i = 0; i < count; i++) {
        MPI_Request now = stand_ins->requests[i];
        if (replaced[i] == MPI_REQUEST_NULL && now != requests[i])
            requests[i] = now;
        else if (replaced[i] != MPI_REQUEST_NULL && now == MPI_REQUEST_NULL)
            end_stand_in(replaced[i]);
    }
    memory_unmap(stand_ins->memory, stand_ins->memory_bytes);
}
