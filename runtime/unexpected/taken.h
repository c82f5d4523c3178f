/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that were taken out of MPI's queue before anybody asked for them. Receives and probes look here first: what
 * is here has come before what MPI has of the same source and communicator.
 */
#ifndef MPILENS_RUNTIME_UNEXPECTED_TAKEN_H
#define MPILENS_RUNTIME_UNEXPECTED_TAKEN_H

#include "mpi/functions.h"
#include "mpilens/layout.h"

#include <stdbool.h>

struct taken {
    MPI_Message message;
    MPI_Status status;
    uint64_t communicator; /* handle; 0: it is freed */
    bool ends;             /* a thread frees the communicator, and no other one finds the message */
    struct mpilens_unexpected *record;
    struct taken *next; /* that has come later */
};

/* Taking out, and looking at what is there, exclude each other. */
void taken_lock(void);
void taken_unlock(void);

/* Locked. Room for one more, for taken_publish or taken_give_back; NULL: no memory. */
struct taken *taken_reserve(void);

/* Locked. message, status and communicator are set. */
void taken_publish(struct taken *taken, const struct mpilens_communicator *communicator);

void taken_give_back(struct taken *taken);

/* Locked. Whether there are any, those of freed communicators left out. */
bool taken_any(void);

/* Locks. The first that such a receive or probe matches is copied. False: none. */
bool taken_look(MPI_Comm communicator, int source, int tag, MPI_Status *ret_status);

/* Locks. The same, and it is out of the queue; NULL: none. taken_over or taken_return follows. */
struct taken *taken_remove(MPI_Comm communicator, int source, int tag);

/* Locks. It is received, or the application's. */
void taken_over(struct taken *taken);

/* Locks. It could not be received and is where it was. */
void taken_return(struct taken *taken);

/* Lock. Around a call that frees the communicator: callbacks of its attributes may receive what is there, and nobody
 * else. The first returns what the second takes as `outer`. */
uint64_t taken_begin_free(MPI_Comm communicator);
void taken_end_free(MPI_Comm communicator, bool freed, uint64_t outer);

/* The application's status from one of MPI's own, as a call without an error of its own leaves it. */
void taken_copy_status(const MPI_Status *from, MPI_Status *ret_status);

#endif
