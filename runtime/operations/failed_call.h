/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps what MPI calls that failed were, also those for which MPI ends the job. Nothing here runs while calls succeed.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_FAILED_CALL_H
#define MPILENS_RUNTIME_OPERATIONS_FAILED_CALL_H

#include "thread/thread.h"

/* MPI is about to call an error handler for `error`, in its function `name` ("MPI_Recv", "internal_Recv"; NULL: not
 * known). Returns what failed_call_handled needs; NULL: there is no memory, or MPI has raised it while this asked for
 * its text. */
struct mpilens_failed_call *failed_call_raised(const char *name, int error) COLD;

/* The handler has returned: the call will, too. `failed` may be NULL. */
void failed_call_handled(struct mpilens_failed_call *failed, const char *name) COLD;

/* The call that the thread is in, and that is over, has returned `error`. It is noted unless it was raised. */
void failed_call_returned(const struct thread *thread, int error) COLD;

/* The program is about to end the job with this code. */
void failed_call_abort(int code) COLD;

#endif
