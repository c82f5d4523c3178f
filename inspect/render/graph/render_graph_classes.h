/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that do the same and wait for the same ranks. For render_graph*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_CLASSES_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_CLASSES_H

#include "render/graph/render_graph_picture.h"

/* What is known of one process. */
struct standing {
    enum picture_role role;
    const struct rank_wait *waits; /* of the analysis */
    size_t wait_count;
    size_t class;
};

struct picture_class {
    enum picture_role role;
    char *pattern;   /* what they do, whomever they wait for */
    size_t sort;     /* equal for classes of one role and pattern, counted from 0 */
    size_t first;    /* number of a process of it */
    size_t *members; /* numbers of all, ascending */
    size_t member_count;
};

struct classes {
    const struct job *job;
    const struct analysis *analysis;
    struct standing *standings; /* by number of process */
    struct picture_class *items;
    size_t count;
    size_t sort_count;
};

struct classes classes_make(const struct job *job, const struct analysis *analysis,
                            const struct communicator_labels *labels);
void classes_clear(struct classes *classes);

/* The number of the first process of this rank; the count of processes: there is none. */
size_t process_number(const struct job *job, int rank);

#endif
