/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root of the shadow state and what is stored there once per process.
 */
#ifndef MPILENS_RUNTIME_PROCESS_H
#define MPILENS_RUNTIME_PROCESS_H

#include "mpilens/layout.h"

#include <stddef.h>

extern struct mpilens_process mpilens_process;

/* What every function number is: generated, [mpilens_process.function_count]. */
extern const struct mpilens_function mpilens__functions[];

/* At the first MPI call: the clock, the pid, constants of this mpi.h. */
void process_first_call(void);

/* MPI_Init or MPI_Init_thread is about to ask for this level (MPI_THREAD_*). */
void process_initializing(int thread_level);

/* MPI_Init or MPI_Init_thread has returned successfully. */
void process_initialized(void);

void process_set_state(enum mpilens_process_state state);

/* Notes where the clock stands, so that a reader can learn the length of a tick. */
void process_note_clock(void);

/* Copies `text` (NULL: empty) into a field of `bytes` bytes, cut to fit. */
void text_copy(char *field, size_t bytes, const char *text);

#endif
