/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that was left out of a row of messages with ever higher tags.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "base/base.h"

#include <inttypes.h>

static bool try_gap(const struct waits *waits, struct cause *cause)
{
    cause->tag_gap = tag_gap_find(&waits->index, &cause->wanted);
    if (cause->tag_gap.source == NULL)
        return false;
    cause->kind = FINDING_NO_MATCH;
    ranks_add(&cause->ranks, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->tag_gap.source->rank);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return cause_look_at_wanted(waits, cause, try_gap);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct tag_gap *gap = &cause->tag_gap;
    cause_write_stuck(stream, text, cause);
    fprintf(stream,
            "; the %" PRIu64 " messages that it has received on that communicator are all from rank %d, with one tag "
            "after the other; rank %d has not sent it tag %d, but %" PRIu64 " later one%s",
            gap->received, gap->source->rank, gap->source->rank, cause->wanted.tag, gap->later,
            gap->later == 1 ? "" : "s");
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    return arena_text("have rank %d send rank %d the message with tag %d", cause->tag_gap.source->rank,
                      cause->wanted.receiver->rank, cause->wanted.tag);
}

const struct fault fault_tag_gap = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
    .names_message = true,
};
