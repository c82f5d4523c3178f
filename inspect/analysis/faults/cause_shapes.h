/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which causes are told together: those of one shape (the same kind of finding, in the same calls at the same places)
 * become one finding, and what follows from a collective call that members disagree about is said once.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_CAUSE_SHAPES_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_CAUSE_SHAPES_H

#include "analysis/causes/cause.h"

/* Those that were taken so far; empty: zeros. */
struct cause_shapes {
    void *shapes; /* tsearch tree of struct shape */
    void *rounds; /* tsearch tree of struct told_round */
};

enum cause_novelty {
    CAUSE_IS_NEW,
    CAUSE_IS_ALIKE, /* of other ranks, the same way */
    CAUSE_IS_TOLD,  /* the same disagreement keeps later calls, too */
};

/* Which finding the cause belongs to: *ret_finding, which is `number` where it needs one of its own. */
enum cause_novelty cause_shapes_take(struct cause_shapes *shapes, const struct waits *waits, const struct cause *cause,
                                     size_t number, size_t *ret_finding);
void cause_shapes_clear(struct cause_shapes *shapes);

#endif
