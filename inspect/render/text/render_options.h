/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is to be shown of a job, and how.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_OPTIONS_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_OPTIONS_H

#include "base/rank_set.h"
#include "model/model.h"
#include "words/describe.h"

#include <stdio.h>

/* Of which ranks a document has what they do and have. */
enum shown_queues {
    QUEUES_CONCERNED, /* those that findings name, of each the first ones */
    QUEUES_NONE,
    QUEUES_ALL,
};

struct render_options {
    struct rank_set ranks; /* to show; none: all, see rank_is_chosen() */
    bool color;
    bool all;     /* nothing merged, nothing cut */
    bool objects; /* all of them, not only their numbers */
    bool stack;   /* the call stacks of all threads */
    bool verbose; /* each rank, not only jobs */
    enum shown_queues queues;
};

#endif
