/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The request handles that threads in completion calls have been given.
 */
#ifndef MPILENS_DLL_SNAPSHOT_CALL_REQUESTS_H
#define MPILENS_DLL_SNAPSHOT_CALL_REQUESTS_H

#include "snapshot/reading.h"

/* The request handles that one call waits for. */
struct thread_requests {
    uint64_t *handles; /* NULL: the call has none, or they could not be read */
    size_t count;
    int code;
};

/* Those of a thread: of its current call, the first; or, by number, of its polls. */
struct thread_calls {
    struct thread_requests calls[MOST_POLLS];
};

/* The threads as they were first read, and what their calls wait for. */
struct call_requests {
    struct table_copy threads;
    struct thread_calls *of_threads; /* by record number */
};

/* Reads them; of the second, nothing where the target is read ahead: those who do that do not ask for threads. On
 * anything but mqs_ok nothing is kept. */
int call_requests_read(struct reading *reading, struct call_requests *ret_requests);

/* Takes a zeroed one too. */
void call_requests_free(struct call_requests *requests);

#endif
