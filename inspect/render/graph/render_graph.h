/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wait-for graph, as DOT and SVG.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_H

#include "analysis/analysis.h"
#include "base/base.h"
#include "words/words.h"

#include <stdio.h>

/* -- render_graph.c -- The graph of waits between ranks.
 */

/* Both on a stream; 0, or -1 and a reason. */
int render_why_dot(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason);
int render_why_svg(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason);

/* -- render_graph_picture.c -- The graph of waits, small enough to be looked at: nodes are groups of ranks in the same
 * state, whatever their number.
 *
 * Ranks in the same calls at the same places that wait for the same ranks are one node. Where that leaves too many,
 * those in the same calls are one node whomever they wait for, but for some of the culprits, which stay for themselves.
 * Ranks in the same calls of which each waits for the next, in a ring, are one node, too, which is drawn as a ring.
 */

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
    const char *call;   /* their common call: "MPI_Recv(<- ..., tag 7, MPI_COMM_WORLD)" */
    const char *site;   /* "ring.c:41 main"; "": not known, or different ones */
    double least_age_s; /* in the call; -1: not known */
    double most_age_s;
    enum wait_mode mode;
    size_t target_count; /* how many ranks each of them waits for, at most */
    int *ring; /* the ranks in the order in which each waits for the next, the last for the first; NULL: none */
    const char *wanted; /* wait of each rank of a ring for the next; NULL: no ring */
};

struct picture_link {
    size_t from, to; /* nodes */
    enum wait_mode mode;
    const char *label; /* object of the wait: "a message with tag 7 on MPI_COMM_WORLD" */
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

/* -- render_graph_looks.c -- Colours and borders that distinguish nodes of different roles.
 */

struct picture_look {
    const char *class;      /* "cause", "involved", ... */
    const char *ink;        /* the colour of texts: "black", "#444444" */
    const char *attributes; /* of Graphviz, with commas between them */
};

const struct picture_look *picture_look(enum picture_role role);

/* -- render_graph_svg.c --
 * The graph, drawn.
 */

/* The graph drawn by Graphviz, whose program dot is run: a document that looks alike whatever fonts this machine and
 * the one that shows it have. 0, or -1 and a reason, as that Graphviz is not installed. */
int picture_draw(const struct picture *picture, const char **ret_svg, struct reason *ret_reason);

/* -- render_graph_words.c -- The texts at the nodes and links of a picture. For
 * render_graph*.c only.
 */

/* As describe_call, but the same for ranks that differ only in their peers: "MPI_Recv(<- ..., tag 7,
 * MPI_COMM_WORLD)". */
const char *describe_call_pattern(const struct process *process, const struct thread *thread,
                                  const struct communicator_labels *labels);
/* The call in full, where all ranks of the node are in the same, but for peers that follow a rule; NULL: they are not.
 */
const char *describe_common_call(const struct job *job, const struct picture_node *node,
                                 const struct communicator_labels *labels);
/* The thread's wait for this rank, in words: "a message with tag 7 on MPI_COMM_WORLD". */
const char *describe_wanted(const struct process *process, const struct thread *thread, int rank,
                            const struct communicator_labels *labels);

/* The difference between that and a message which the rank has sent instead, if a finding says so: ", but tag 8 was
 * sent"; "": none is known. */
const char *describe_misfit(const struct findings *findings, const struct process *process, const struct thread *thread,
                            int rank, const struct communicator_labels *labels);

/* "CAUSE", "waits because of it", ... */
const char *describe_picture_role(enum picture_role role);
/* "rank 3", "ranks [0-2,5]", "99 ranks [0,2,3,7,...]". */
const char *describe_picture_ranks(const struct picture_node *node);
/* "each waits for the next: a message with tag 7 on MPI_COMM_WORLD", of a node with a ring. */
const char *describe_ring(const struct picture_node *node);
/* "waits for 3 ranks", "waits for any of 3 ranks"; "": one rank, or none. */
const char *describe_picture_mode(const struct picture_node *node);

#endif
