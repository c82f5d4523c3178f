/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the functions of exact.py are made of: calls that look first at the messages that were taken out.
 */
#ifndef MPILENS_RUNTIME_API_EXACT_H
#define MPILENS_RUNTIME_API_EXACT_H

#include "api/exchange.h"
#include "unexpected/level.h"
#include "unexpected/meeting.h"
#include "unexpected/persistent_receive.h"
#include "unexpected/question.h"
#include "unexpected/taken.h"
#include "unexpected/taker.h"

/* A matched message was to be received: `error` says whether it was. Ends the question; returns the error. */
int exact_received(struct taken *taken, int error);

/* Nothing was received: the message stays where it was. Ends the question. */
void exact_refused(struct taken *taken);

/* A standard send of a copy that nobody will ask for, or MPI_REQUEST_NULL: its memory is given back by a later call of
 * this function. */
void exact_leave_to_be_sent(const struct packed_copy *copy, MPI_Request send);

/* A matched probe has one for the application. */
void exact_probed(struct taken *taken, MPI_Message *ret_message, MPI_Status *ret_status);

/* MPI_Startall where the gate is not open. */
int exact_start_all(int count, MPI_Request *requests);

/* Around MPI_Comm_free and MPI_Comm_disconnect. The first returns what the second takes as `outer`. */
uint64_t exact_begin_free(MPI_Comm communicator);
void exact_end_free(MPI_Comm communicator, bool freed, uint64_t outer);

INLINE bool exact_has_stand_ins(void)
{
    return unlikely(__atomic_load_n(&mpilens__stand_ins, __ATOMIC_ACQUIRE) != 0);
}

#endif
