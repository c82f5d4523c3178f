/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps what MPI calls that failed were, also those for which MPI ends the job. Nothing here runs while calls succeed.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_FAILED_CALL_H
#define MPILENS_RUNTIME_OPERATIONS_FAILED_CALL_H

#include "thread/thread.h"

/* Where a call was noted. Another one may get the record later. */
struct raised_call {
    struct mpilens_failed_call
        *record; /* NULL: there is no memory, or MPI has raised it while this asked for its text */
    uint64_t serial;
};

/* MPI is about to call an error handler for `error`, in its function `name` ("MPI_Recv", "internal_Recv"; NULL: not
 * known). Returns what failed_call_handled needs. */
struct raised_call failed_call_raised(const char *name, int error) COLD;

/* The handler has returned: the call will, too. */
void failed_call_handled(struct raised_call raised, const char *name) COLD;

/* The call that the thread is in, and that is over, has returned `error`. It is noted unless it was raised. */
void failed_call_returned(const struct thread *thread, int error) COLD;

/* The program is about to end the job with this code. */
void failed_call_abort(int code) COLD;

#endif
