/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A collective call that others have made long ago and forgotten. It cannot have been the same: they have made fewer
 * calls of that class. The few are to blame; where neither are few, all.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "base/base.h"

#include <inttypes.h>

/* The ranks in the call, and the ranks beyond it. */
struct sides {
    struct ranks in, beyond;
};

static bool is_in(const struct collective_round *round, const struct job_member *member)
{
    const struct collective_call *call = collective_round_call(member, round->serial);
    return call != NULL && call->active;
}

static struct sides find_sides(const struct collective_round *round)
{
    struct sides sides = {.in = {0}};
    for (size_t i = 0; i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        if (is_in(round, member))
            ranks_add(&sides.in, member->process->rank);
        else if (collective_round_was_of_other_class(member, round->one, round->serial))
            ranks_add(&sides.beyond, member->process->rank);
    }
    ranks_finish(&sides.in);
    ranks_finish(&sides.beyond);
    return sides;
}

/* All ranks of the cause are on one of the two sides. */
static struct sides part_sides(const struct cause *cause)
{
    struct sides sides = {.in = {0}};
    for (size_t i = 0; i < cause->ranks.count; i++) {
        const int rank = cause->ranks.items[i];
        ranks_add(is_in(&cause->round, job_members_find(&cause->round.members, rank)) ? &sides.in : &sides.beyond,
                  rank);
    }
    ranks_finish(&sides.in);
    ranks_finish(&sides.beyond);
    return sides;
}

static bool try_meeting(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    const struct collective_round *round = &meeting_find_round(waits, meeting, meeting->serial)->round;
    if (round->difference != ROUND_OTHER_CLASS)
        return false;
    struct sides sides = find_sides(round);
    cause->round = *round;
    cause->kind = FINDING_COLLECTIVE_MISMATCH;
    cause->communicator = meeting->communicator;
    ranks_add_all(&cause->ranks, &sides.in);
    ranks_add_all(&cause->ranks, &sides.beyond);
    if (sides.in.count <= sides.beyond.count)
        ranks_add_all(&cause->culprits, &sides.in);
    if (sides.beyond.count <= sides.in.count)
        ranks_add_all(&cause->culprits, &sides.beyond);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return (cause->waiter_count == 0 || cause_is_of_collectives(waits, cause)) &&
           cause_look_at_meetings(waits, cause, try_meeting);
}

/* "only 2", "none". */
static const char *describe_few(uint64_t count)
{
    return count == 0 ? "none" : arena_text("only %" PRIu64, count);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct collective_round *round = &cause->round;
    const struct collective_call *call = collective_round_call(round->one, round->serial);
    struct sides sides = part_sides(cause);
    const bool is_one = sides.in.count == 1;
    const char *beyond = ranks_name(&sides.beyond);
    fprintf(stream,
            "%s %s out of step with %s in the collective calls on %s: %s call %" PRIu64 " is %s%s, number %" PRIu64
            " of that kind; %s %s made %" PRIu64 " calls there, but %s of that kind",
            ranks_name(&sides.in), is_one ? "is" : "are", beyond, describe_order(text, round->one),
            is_one ? "its" : "their", round->serial, call->function, describe_at(call->site),
            collective_class_count(round->one, call->collective_class), beyond,
            sides.beyond.count == 1 ? "has" : "have", round->other->communicator->collective_calls,
            describe_few(collective_class_count(round->other, call->collective_class)));
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    const struct collective_round *round = &cause->round;
    return arena_text("look for a collective call on %s, call %" PRIu64
                      " or one before, that %s made once more than the others, or left out",
                      describe_order(text, round->one), round->serial, ranks_name(&cause->culprits));
}

const struct fault fault_fewer_calls = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
