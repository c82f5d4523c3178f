/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who waits for whom, small enough to be looked at: nodes are groups of ranks that do the same, whatever their number.
 *
 * Ranks in the same calls at the same places that wait for the same ranks are one node. Where that leaves too many,
 * those in the same calls are one node whomever they wait for, but for some of the culprits, which stay for themselves.
 * Ranks in the same calls of which each waits for the next, in a ring, are one node, too, which is drawn as a ring.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_PICTURE_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_PICTURE_H

#include "analysis/analysis.h"
#include "words/describe.h"

/* In the order of importance. */
enum picture_role {
    PICTURE_CAUSE,       /* a culprit of a finding */
    PICTURE_INVOLVED,    /* can never go on, in one cycle with a cause */
    PICTURE_CONSEQUENCE, /* can never go on, because of a cause */
    PICTURE_WAITS,       /* waits, and can be released */
    PICTURE_ENDED,       /* is in MPI_Finalize or beyond, or has exited */
    PICTURE_UNREAD,      /* could not be read */
    PICTURE_SEEN,        /* without the runtime: only its stacks tell what it does */
    PICTURE_LIVE,        /* goes on */
    PICTURE_ROLE_COUNT,
};

struct picture_node {
    enum picture_role role;
    struct ranks ranks; /* finished */
    char *call;         /* what all of them do: "MPI_Recv(<- ..., tag 7, MPI_COMM_WORLD)" */
    char *site;         /* "ring.c:41 main"; "": not known, or different ones */
    double least_age_s; /* in the call; -1: not known */
    double most_age_s;
    enum wait_mode mode;
    size_t target_count; /* how many ranks each of them waits for, at most */
    int *ring;    /* the ranks in the order in which each waits for the next, the last for the first; NULL: none */
    char *wanted; /* what the ranks of a ring wait for, each from the next; NULL: no ring */
};

struct picture_link {
    size_t from, to; /* nodes */
    enum wait_mode mode;
    char *label; /* what is waited for: "a message with tag 7 on MPI_COMM_WORLD" */
};

struct picture {
    struct picture_node *nodes; /* by role, then by rank */
    size_t node_count;
    struct picture_link *links; /* by from, then as found */
    size_t link_count;
};

/* More nodes are merged; then, culprits that are shown for themselves. */
enum { MOST_PICTURE_NODES = 24, MOST_SINGLE_CULPRITS = 12 };

/* O(n log n) in processes and in ranks that they wait for. */
struct picture picture_make(const struct job *job, const struct analysis *analysis,
                            const struct communicator_labels *labels);
void picture_clear(struct picture *picture);

#endif
