/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a rank in MPI_Init waits for that is not another rank: a connection, a name, what keeps it from running.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_START_UP_CAUSE_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_START_UP_CAUSE_H

#include "base/ranks.h"
#include "model/model.h"

#include <stdio.h>

enum start_up_cause_kind {
    START_UP_BRIDGE,     /* a connection over an interface that joins containers of one host */
    START_UP_CONNECTION, /* another connection */
    START_UP_NAME,       /* the address of a host */
    START_UP_STANDSTILL, /* it cannot run */
};

struct start_up_cause {
    enum start_up_cause_kind kind;
    char *text; /* "has a socket in SYN_SENT with 172.17.0.2:1024 over docker0", "resolves a name, in getaddrinfo" */
};

/* Of the thread with that number, which is in MPI_Init. The caller frees the text. False: nothing of that kind is
 * known. */
bool start_up_cause_find(const struct process *process, uint32_t tid, struct start_up_cause *ret_cause);

/* "; rank 1 has a socket in SYN_SENT with ...": `ranks`, at least one, wait for something else than others, the first
 * of them for this. */
void start_up_cause_write(FILE *stream, const struct ranks *ranks, const struct start_up_cause *cause);

/* What to do about it. */
const char *start_up_cause_remedy(enum start_up_cause_kind kind);

#endif
