/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that wait for the MPI library in the same call: for how long, and whether anything moves.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_STALLED_RANKS_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_STALLED_RANKS_H

#include "analysis/stalls/library_waits.h"

struct stalled_ranks {
    uint32_t meeting;      /* as of a library_wait */
    struct ranks waiting;  /* who waits */
    struct ranks involved; /* who takes part in it, those that wait among them */
    double age_s;     /* since the last of those that take part has entered the call that it is in; -1: not known */
    bool is_known;    /* whether each of these was looked at twice, and its stack read; or all is out of core files */
    double watched_s; /* how long they were looked at; 0: once */
    uint64_t moved_bytes; /* that have come or were acknowledged meanwhile, on their connections */
    uint64_t file_bytes;  /* that were read or written meanwhile */
    double least_share;   /* of a processor, that one of them got while it wanted to run; 1: none waited for one */
    bool copies;          /* one of them copies memory, or what they share changes */
    bool shares_memory;   /* what each of them shares with others was seen */
    double silent_s;      /* since anything came on one; -1: there is none, or not known */
    uint32_t connections; /* of TCP, all ranks together */
    bool has_devices;     /* of networks, whose traffic is not seen */
};

struct stalls {
    struct stalled_ranks *items; /* the longest first */
    size_t count;
};

/* The caller clears them. */
struct stalls stalls_find(const struct waits *waits);
void stalls_clear(struct stalls *stalls);

/* What keeps the process from running at all: "is stopped by a signal"; NULL: nothing. */
const char *describe_standstill(const struct process *process);

#endif
