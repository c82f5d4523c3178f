/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that was left out of a row of messages with ever higher tags.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "base/base.h"

#include <inttypes.h>

static void take_gap(struct cause *cause)
{
    cause->kind = FINDING_NO_MATCH;
    ranks_add(&cause->ranks, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->tag_gap.source->rank);
    if (!cause->tag_gap.is_regular)
        cause_add_culprit(cause, cause->wanted.receiver->rank);
}

static bool try_gap(const struct waits *waits, struct cause *cause)
{
    cause->tag_gap = tag_gap_find(&waits->index, &cause->wanted);
    if (cause->tag_gap.source == NULL || cause_holds_source_up(waits, cause))
        return false;
    take_gap(cause);
    return true;
}

static bool try_step(const struct waits *waits, struct cause *cause)
{
    cause->tag_gap = (struct tag_gap){.source = tag_gap_find_step(&waits->index, &cause->wanted), .is_regular = true};
    if (cause->tag_gap.source == NULL)
        return false;
    take_gap(cause);
    return true;
}

static bool try_chain(const struct waits *waits, struct cause *cause)
{
    cause->tag_gap = (struct tag_gap){.source = chain_gap_find(&waits->index, &cause->wanted), .is_regular = true};
    if (cause->tag_gap.source == NULL)
        return false;
    take_gap(cause);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return cause_look_at_wanted(waits, cause, try_chain) || cause_look_at_wanted(waits, cause, try_gap) ||
           cause_look_at_wanted(waits, cause, try_step);
}

static void write_step(FILE *stream, const struct cause *cause)
{
    struct ranks served = tag_gap_served(cause->tag_gap.source, &cause->wanted);
    if (served.count == 0)
        fprintf(stream, "; rank %d has received the message with tag %d, not passed it on to rank %d, and gone on",
                cause->tag_gap.source->rank, cause->wanted.tag, cause->wanted.receiver->rank);
    else
        fprintf(stream, "; rank %d has sent the message with tag %d to %s, not to rank %d, and gone on",
                cause->tag_gap.source->rank, cause->wanted.tag, ranks_name(&served), cause->wanted.receiver->rank);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct tag_gap *gap = &cause->tag_gap;
    cause_write_stuck(stream, text, cause);
    if (gap->received == 0) {
        write_step(stream, cause);
        return;
    }
    fprintf(stream,
            "; the %s%zu messages that it has received on that communicator are all from rank %d, each with a higher "
            "tag than the one before; rank %d has not sent it tag %d, but %" PRIu64 " later one%s",
            gap->are_all ? "" : "last ", gap->received, gap->source->rank, gap->source->rank, cause->wanted.tag,
            gap->later, gap->later == 1 ? "" : "s");
}

/* Where tags were skipped before, it may be the receiver that fails to skip this one. */
static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    const struct tag_gap *gap = &cause->tag_gap;
    const int receiver = cause->wanted.receiver->rank;
    const char *send =
        arena_text("have rank %d send rank %d the message with tag %d", gap->source->rank, receiver, cause->wanted.tag);
    return gap->is_regular ? send : arena_text("%s, or have rank %d skip that tag, too", send, receiver);
}

const struct fault fault_tag_gap = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
    .names_message = true,
};
