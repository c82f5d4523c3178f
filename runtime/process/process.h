/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root's fields about the process.
 */
#ifndef MPILENS_RUNTIME_PROCESS_PROCESS_H
#define MPILENS_RUNTIME_PROCESS_PROCESS_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

#include <stdbool.h>
#include <stddef.h>

/* -- null_handle.c --
 * Null handles of all kinds, for readers who have nothing but a value.
 */

/* Puts them in the root. After fortran_handles_initialize, as often as one likes. */
void null_handles_initialize(void);

/* -- process.c -- Facts stored once per process, in the root of the shadow state.
 */

/* At the first MPI call: the clock, the pid, constants of this mpi.h. */
void process_first_call(void);

/* At the first communicator that can be asked: which request the library uses for all that is complete at once. */
void process_learn_requests(MPI_Comm communicator);

/* MPI_COMM_WORLD is a valid handle: MPI_Init has returned, MPI_Finalize has not. */
bool process_has_world(void);
void process_set_has_world(bool now);

void process_set_state(enum mpilens_process_state state);

/* Notes where the clock stands, so that a reader can learn the length of a tick. */
void process_note_clock(void);

#endif
