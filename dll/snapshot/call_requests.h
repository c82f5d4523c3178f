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
    struct table_copy threads;       /* all zero where one made a call while they were read */
    bool have_moved;                 /* that, or it went round in a loop of polls */
    struct thread_calls *of_threads; /* by record number */
};

/* Whether any thread has made a call between two copies of the threads. */
bool threads_have_moved(const struct table_copy *before, const struct table_copy *after);

/* Reads them; of the second, nothing where the target is read ahead: those who do that do not ask for threads. On
 * anything but mqs_ok nothing is kept. */
int call_requests_read(struct reading *reading, struct call_requests *ret_requests);

/* Reads the threads once more, and forgets of `requests` those that do not stay as they are in `threads`. */
int call_requests_confirm(struct reading *reading, const struct table_copy *threads, struct call_requests *requests);

/* Takes a zeroed one too. */
void call_requests_free(struct call_requests *requests);

#endif
