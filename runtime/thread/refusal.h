/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that MPI has refused: no other process has taken part in them, and they leave no trace.
 */
#ifndef MPILENS_RUNTIME_THREAD_REFUSAL_H
#define MPILENS_RUNTIME_THREAD_REFUSAL_H

#include "thread/thread.h"

/* Whether the class of `error`, which is not MPI_SUCCESS, is that of a wrong argument, or of a call at a wrong time. */
bool refusal_is(int error) COLD;

/* Whether the call that has returned `error` was refused. */
INLINE bool error_is_refusal(int error)
{
    return unlikely(error != MPI_SUCCESS) && refusal_is(error);
}

#endif
