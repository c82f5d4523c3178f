/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between a matched probe and the receive that takes them.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_MESSAGE_H
#define MPILENS_RUNTIME_OBJECTS_MESSAGE_H

#include "objects/communicator.h"

/* MPI_Mprobe or MPI_Improbe has found one. */
void message_matched(uint32_t function, uint64_t site, MPI_Comm communicator, MPI_Message handle,
                     const MPI_Status *status);

/* What MPI_Mrecv or MPI_Imrecv is about to receive: a copy, and the record; state 0 and NULL where it is not known. */
struct mpilens_message message_find(MPI_Message handle, struct mpilens_message **ret_record);

/* It has received it. `handle` as it was before: it may name another message by now. NULL is fine. */
void message_received(struct mpilens_message *record, uint64_t handle);

#endif
