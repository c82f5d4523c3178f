/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The thread that takes unexpected messages out when the process does not get on: the only one that the runtime makes.
 */
#ifndef MPILENS_RUNTIME_UNEXPECTED_TAKER_H
#define MPILENS_RUNTIME_UNEXPECTED_TAKER_H

/* MPI is up, with this level inside (MPI_THREAD_*). Says in the root what has become of it. */
void taker_begin(int thread_level);

/* MPI is about to end. The thread is gone when this returns, and messages that are left are in the table. */
void taker_end(void);

#endif
