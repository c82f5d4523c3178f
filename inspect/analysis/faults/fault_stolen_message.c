/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that another receive has taken from the receive that waits for it.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"
#include "words/words.h"

static bool try_stolen(const struct waits *waits, struct cause *cause)
{
    (void)waits;
    struct stolen_message stolen = {.left = NULL};
    stolen.taken_by = find_stealing_receive(&cause->wanted, &stolen.left);
    if (stolen.taken_by == NULL)
        return false;
    cause->stolen = stolen;
    cause->kind = FINDING_NO_MATCH;
    cause_add_culprit(cause, cause->wanted.receiver->rank);
    ranks_add(&cause->ranks, cause->wanted.peer_world);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return cause_look_at_wanted(waits, cause, try_stolen);
}

/* Why it could. */
enum thief { FROM_ANY, AT_PLACE, OF_THREAD };

static enum thief find_thief(const struct cause *cause)
{
    const struct operation *taken_by = cause->stolen.taken_by;
    if (cause->stolen.left == NULL && is_of_other_thread(&cause->wanted, taken_by))
        return OF_THREAD;
    return taken_by->peer_local < 0 ? FROM_ANY : AT_PLACE;
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const char *wanting = cause_describe_wanting(text, cause);
    const enum thief thief = find_thief(cause);
    const struct operation *taken_by = cause->stolen.taken_by;
    const char *at = describe_at(taken_by->details->site);
    fprintf(stream, "rank %d is stuck in %s: %s %s%s%s has taken the message from rank %d",
            cause->wanted.receiver->rank, wanting, thief == OF_THREAD ? "another thread's" : "its",
            taken_by->details->function, at, thief == FROM_ANY ? " from any source" : "", cause->wanted.peer_world);
    if (cause->stolen.left == NULL)
        return;
    fprintf(stream, ", and left the one from rank %d (%s%s), which nobody receives", cause->stolen.left->peer_world,
            cause->stolen.left->details->function, describe_at(cause->stolen.left->details->site));
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    const char *at, *remedy;
    switch (find_thief(cause)) {
    case AT_PLACE:
        at = describe_at(cause->stolen.taken_by->details->site);
        remedy = arena_text("let the receive%s, and the probe before it, name tag %d: what it gets by any tag may be "
                            "meant for another receive",
                            at, cause->stolen.left->tag);
        return remedy;
    case OF_THREAD:
        return "where threads probe and then receive, let them use MPI_Mprobe and MPI_Mrecv, or a tag or "
               "communicator for each thread";
    default:
        return arena_copy(
            "give the receive from any source a tag or communicator of its own, so that it takes no other messages");
    }
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    cause_add_idle(text, cause, finding);
    const char *taken = describe_operation(cause->stolen.taken_by, cause->wanted.communicator, text->labels);
    evidence_add(&finding->evidence, cause->wanted.receiver->rank, cause->stolen.taken_by->serial,
                 arena_text(cause->stolen.taken_by->status == mqs_st_pending
                                ? "has taken the message from rank %d for %s"
                                : "received the message from rank %d with %s",
                            cause->wanted.peer_world, taken),
                 evidence_place(cause->stolen.taken_by->details->site, cause->stolen.taken_by->details->function),
                 cause->stolen.taken_by->age_s);
    if (cause->stolen.left != NULL)
        cause_add_unreceived(text, cause->stolen.left, cause->wanted.communicator, finding);
}

const struct fault fault_stolen_message = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
