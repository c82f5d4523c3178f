/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How MPI begins and ends in the process: for the wrappers of MPI_Init, MPI_Finalize and their likes of sessions.
 */
#ifndef MPILENS_RUNTIME_API_LIFE_H
#define MPILENS_RUNTIME_API_LIFE_H

#include <stdbool.h>
#include <stdint.h>

/* MPI_Init or MPI_Init_thread is about to ask for this level (MPI_THREAD_*). */
void process_initializing(int thread_level);

/* MPI_Init or MPI_Init_thread has returned successfully. */
void process_initialized(void);

/* MPI_Finalize is about to be called. */
void process_finalizing(void);

/* It has returned. */
void process_finalized(bool succeeded);

/* A session has begun, with this level (0 single ... 3 multiple, -1: not known). It can be asked already. */
void process_session_begun(int32_t thread_level);

/* MPI_Session_finalize is about to be called. */
void process_session_ending(void);

/* It has returned. */
void process_session_over(bool succeeded);

#endif
