/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that was passed on with another tag than it was received with.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

static bool try_passed_on(const struct waits *waits, struct cause *cause)
{
    cause->passed_on = passed_on_find(&waits->index, &cause->wanted);
    if (cause->passed_on.send == NULL)
        return false;
    cause->kind = FINDING_TAG_MISMATCH;
    ranks_add(&cause->ranks, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->passed_on.message->peer_world);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return cause_look_at_wanted(waits, cause, try_passed_on);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct passed_on *passed = &cause->passed_on;
    const int sender = passed->message->peer_world;
    const struct site *site = passed->send->details->site;
    cause_write_stuck(stream, text, cause);
    fprintf(stream,
            "; rank %d has received a message with tag %d and %s with tag %d, by %s%s, where it has otherwise kept the "
            "tag (%zu times)",
            sender, cause->wanted.tag, passed->originates ? "sent the next one" : "passed it on", passed->send->tag,
            passed->send->details->function, site_is_of_library(site) ? "" : describe_at(site), passed->kept);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    return arena_text(cause->passed_on.originates ? "have rank %d pass on what it has received, with that tag"
                                                  : "have rank %d send with the tag that it has received",
                      cause->passed_on.message->peer_world);
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    cause_add_unreceived(text, cause->passed_on.message, cause->wanted.communicator, finding);
    cause_add_idle(text, cause, finding);
}

const struct fault fault_passed_on = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
