/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is written at the nodes and links of a picture. The caller frees what is returned. For render_graph*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_WORDS_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_WORDS_H

#include "render/graph/render_graph_picture.h"
#include "words/describe.h"

/* As describe_call, but the same for ranks that differ only in their peers: "MPI_Recv(<- ..., tag 7,
 * MPI_COMM_WORLD)". */
char *describe_call_pattern(const struct process *process, const struct thread *thread,
                            const struct communicator_labels *labels);
/* The call in full, where all ranks of the node are in the same, but for peers that follow a rule; NULL: they are not.
 */
char *describe_common_call(const struct job *job, const struct picture_node *node,
                           const struct communicator_labels *labels);
/* What the thread waits for from this rank: "a message with tag 7 on MPI_COMM_WORLD". */
char *describe_wanted(const struct process *process, const struct thread *thread, int rank,
                      const struct communicator_labels *labels);

/* "CAUSE", "waits because of it", ... */
const char *describe_picture_role(enum picture_role role);
/* "rank 3", "ranks [0-2,5]", "99 ranks [0,2,3,7,...]"; the caller frees it. */
char *describe_picture_ranks(const struct picture_node *node);
/* "each waits for the next: a message with tag 7 on MPI_COMM_WORLD", of a node with a ring. The caller frees it. */
char *describe_ring(const struct picture_node *node);
/* "waits for 3 ranks", "waits for any of 3 ranks"; "": one rank, or none. The caller frees it. */
char *describe_picture_mode(const struct picture_node *node);

#endif
