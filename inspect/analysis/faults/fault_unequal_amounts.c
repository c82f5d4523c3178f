/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts of a collective call that do not fit together pair by pair. Which of the two is wrong cannot be known: both
 * are to blame.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

#include <inttypes.h>

static bool try_meeting(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    const struct known_round *known = meeting_find_round(waits, meeting, meeting->serial);
    if (known->round.difference != ROUND_OTHER_AMOUNT)
        return false;
    cause->kind = FINDING_COLLECTIVE_MISMATCH;
    cause->communicator = meeting->communicator;
    cause->unequal = known;
    cause_add_culprit(cause, known->unequal.giver->process->rank);
    cause_add_culprit(cause, known->unequal.receiver->process->rank);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return (cause->waiter_count == 0 || cause_is_of_collectives(waits, cause)) &&
           cause_look_at_meetings(waits, cause, try_meeting);
}

/* "nothing", "1600000 bytes". */
static const char *name_bytes(int64_t bytes)
{
    return bytes > 0 ? arena_text("%" PRId64 " byte%s", bytes, bytes == 1 ? "" : "s") : "nothing";
}

/* "at f.c:17", and whether these are the counts of the call. */
static const char *describe_counts(const struct collective_call *call)
{
    const char *at = describe_at(call->site);
    return arena_text(
        "%s%s", at,
        call->active || call->counts_are_kept ? "" : ", by its counts as they are now that it has left the call");
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct collective_round *round = &cause->unequal->round;
    const struct unequal_pair *pair = &cause->unequal->unequal;
    const struct collective_call *gives = collective_round_call(pair->giver, round->serial);
    const struct collective_call *expects = collective_round_call(pair->receiver, round->serial);
    const char *given = name_bytes(pair->given), *expected = name_bytes(pair->expected);
    const char *giver_state = describe_counts(gives), *receiver_state = describe_counts(expects);
    fprintf(stream,
            "the ranks disagree about collective call %" PRIu64 " on %s, %s: rank %d gives rank %d %s%s, and rank %d "
            "expects %s%s",
            round->serial, describe_order(text, pair->giver), gives->function, pair->giver->process->rank,
            pair->receiver->process->rank, given, giver_state, pair->receiver->process->rank, expected, receiver_state);
    if (pair->others > 0)
        fprintf(stream, "; %zu more pair%s not fit either", pair->others, pair->others == 1 ? " does" : "s do");
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    const struct unequal_pair *pair = &cause->unequal->unequal;
    return arena_text("make what rank %d gives rank %d as much as rank %d expects of it: count times size of the type",
                      pair->giver->process->rank, pair->receiver->process->rank, pair->receiver->process->rank);
}

const struct fault fault_unequal_amounts = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
