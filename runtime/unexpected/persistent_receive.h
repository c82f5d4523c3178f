/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent receives that are started when their message was taken out already. MPI cannot match them: the persistent
 * request stays inactive there, and a receive of the matched message stands for it in calls that complete requests.
 */
#ifndef MPILENS_RUNTIME_UNEXPECTED_PERSISTENT_RECEIVE_H
#define MPILENS_RUNTIME_UNEXPECTED_PERSISTENT_RECEIVE_H

#include "mpi/functions.h"
#include "thread/thread.h"

#include <stdbool.h>
#include <stddef.h>

/* Receives of matched messages that stand for persistent ones now. */
extern uint64_t mpilens__stand_ins __attribute__((visibility("hidden")));

/* MPI_Recv_init has given `request`. */
void persistent_receive_made(void *buffer, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                             MPI_Comm communicator, MPI_Request request);

/* MPI_Start where the gate is not open. */
int persistent_receive_start(MPI_Request *request) COLD;

/* MPI_Request_free, before the library's. */
void persistent_receive_freeing(MPI_Request request);

/* What stands for `request` now: it itself, or the receive of its message. */
MPI_Request persistent_receive_stand_in(MPI_Request request) COLD;

/* Requests in the place of an array of the application's. */
struct stand_ins {
    MPI_Request *requests;
    void *memory;
    size_t memory_bytes;
};

/* Sets those to ask MPI for. Returns MPI_ERR_NO_MEM where there is no memory for them; stand_ins_end follows anyway. */
int stand_ins_begin(struct stand_ins *ret_stand_ins, int count, MPI_Request *requests) COLD;

/* After the call: what has become of them is told of the application's. */
void stand_ins_end(struct stand_ins *stand_ins, int count, MPI_Request *requests) COLD;

#endif
