/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between a matched probe and the receive that takes them.
 */
#ifndef MPILENS_RUNTIME_MESSAGE_H
#define MPILENS_RUNTIME_MESSAGE_H

#include "communicator.h"

/* MPI_Mprobe or MPI_Improbe has found one. */
void message_matched(uint32_t function, uint64_t site, MPI_Comm communicator, MPI_Message handle,
                     const MPI_Status *status);

/* What MPI_Mrecv or MPI_Imrecv is about to receive: a copy; state 0 where it is not known. */
struct mpilens_message message_find(MPI_Message handle);

/* It has received it. */
void message_received(uint64_t handle);

#endif
