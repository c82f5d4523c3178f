/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs of any size that nobody has run: models as a collector leaves them, of programs that hang in a known way.
 */
#ifndef TESTS_SYNTHETIC_JOB_H
#define TESTS_SYNTHETIC_JOB_H

#include "model/model.h"

/* The pending operations of every rank, `operations` each, and its blocking call. */
enum synthetic_pattern {
    SYNTHETIC_RING,     /* receives from the rank before it, in MPI_Waitall; nobody sends */
    SYNTHETIC_BARRIER,  /* sends to the rank after it and receives of those, in MPI_Barrier; the last rank in MPI_Recv
                         * from the first */
    SYNTHETIC_MASTER,   /* messages to rank 0 that are sent (not pending) with another tag than it receives from any
                         * source, in MPI_Recv; rank 0 itself has `operations` receives from any source that match some
                         * of them */
    SYNTHETIC_ALLTOALL, /* sends to the ranks after it and receives from those before it, in MPI_Waitall; rank 0 has
                         * nothing pending and is in MPI_Barrier */
    SYNTHETIC_SCAN,     /* receives from the rank before it, in MPI_Scan; every tenth rank is in MPI_Finalize instead */
    SYNTHETIC_STENCIL,  /* all ranks in MPI_Neighbor_alltoall of a ring with the ranks next to it */
    SYNTHETIC_LEFT, /* receives from the rank after it, in MPI_Waitall; every other rank is in MPI_Finalize instead */
    SYNTHETIC_SLOW, /* receives from the rank before it, in MPI_Barrier; every other rank is not in MPI instead */
    SYNTHETIC_PATTERN_COUNT,
};

struct synthetic_plan {
    enum synthetic_pattern pattern;
    int ranks;      /* 2 or more */
    int operations; /* even, less than twice the ranks */
};

/* "ring", ... */
const char *synthetic_name(enum synthetic_pattern pattern);

/* The job as read, before complete_job(); to be cleared. All threads have stalled. */
struct job synthetic_job(const struct synthetic_plan *plan);

#endif
