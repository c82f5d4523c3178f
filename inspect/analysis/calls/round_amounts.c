/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares amounts pair by pair.
 */
#include "analysis/calls/calls.h"

/* One member's part in the call; `call` NULL: it is not remembered. */
struct part {
    const struct job_member *member;
    const struct collective_call *call;
};

static struct part part_of(const struct collective_round *round, size_t member)
{
    const struct job_member *one = &round->members.items[member];
    return (struct part){one, collective_round_call(one, round->serial)};
}

static struct part find_part(const struct collective_round *round, int rank)
{
    const struct job_member *one = job_members_find(&round->members, rank);
    return (struct part){one, one != NULL ? collective_round_call(one, round->serial) : NULL};
}

/* With the member of that rank; NULL: nothing, or not known. */
static const struct collective_amount *find_amount(const struct collective_call *call, int rank)
{
    size_t low = 0, high = call != NULL ? call->amount_count : 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (call->amounts[middle].peer_world < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return call != NULL && low < call->amount_count && call->amounts[low].peer_world == rank ? &call->amounts[low]
                                                                                             : NULL;
}

/* The amount that the other side states, -1: none. */
static int64_t find_expected(const struct part *giver, const struct part *receiver)
{
    const struct collective_amount *amount = find_amount(receiver->call, giver->member->process->rank);
    return amount != NULL ? amount->expected : -1;
}

static int64_t find_given(const struct part *giver, const struct part *receiver)
{
    const struct collective_amount *amount = find_amount(giver->call, receiver->member->process->rank);
    return amount != NULL ? amount->given : -1;
}

static bool is_unequal(int64_t one, int64_t other)
{
    return one >= 0 && other >= 0 && one != other;
}

/* Whether the counts of who has left the call can be those that it had there: they fit all others but one. */
static bool is_credible(const struct collective_round *round, const struct part *left)
{
    size_t fitting = 0, unfit = 0;
    for (size_t i = 0; i < left->call->amount_count; i++) {
        const struct collective_amount *amount = &left->call->amounts[i];
        const struct part other = find_part(round, amount->peer_world);
        if (other.member == NULL || other.member == left->member)
            continue;
        const int64_t expected = find_expected(left, &other), given = find_given(&other, left);
        if (is_unequal(amount->given, expected) || is_unequal(given, amount->expected))
            unfit++;
        else if ((amount->given > 0 && expected > 0) || (given > 0 && amount->expected > 0))
            fitting++;
    }
    return fitting > 0 && unfit == 1;
}

struct comparison {
    struct collective_round *round;
    double patience_s;
    bool is_left; /* by some: the call has gone wrong for sure */
    struct unequal_pair pair;
};

static bool can_be_believed(const struct comparison *comparison, const struct part *part, const struct part *waiting)
{
    if (part->call->active || part->call->counts_are_kept)
        return true;
    return comparison->is_left && waiting->call->active && waiting->call->age_s > comparison->patience_s &&
           is_credible(comparison->round, part);
}

static void compare_pair(struct comparison *comparison, const struct part *giver, const struct part *receiver,
                         int64_t given)
{
    const int64_t expected = find_expected(giver, receiver);
    struct unequal_pair *pair = &comparison->pair;
    if (!is_unequal(given, expected) || (given > 0 && given < expected && !comparison->is_left) ||
        !can_be_believed(comparison, giver, receiver) || !can_be_believed(comparison, receiver, giver))
        return;
    if (pair->giver != NULL) {
        pair->others++;
        return;
    }
    *pair = (struct unequal_pair){giver->member, receiver->member, given, expected, 0};
    comparison->round->difference = ROUND_OTHER_AMOUNT;
    comparison->round->one = giver->member;
    comparison->round->other = receiver->member;
}

struct unequal_pair round_amounts_compare(struct collective_round *round, double patience_s)
{
    struct comparison comparison = {
        .round = round, .patience_s = patience_s, .is_left = collective_round_is_left_by_some(round)};
    if (round->difference != ROUND_ALIKE)
        return comparison.pair;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct part giver = part_of(round, i);
        for (size_t j = 0; giver.call != NULL && j < giver.call->amount_count; j++) {
            const struct collective_amount *amount = &giver.call->amounts[j];
            const struct part receiver = find_part(round, amount->peer_world);
            if (receiver.call != NULL && receiver.member != giver.member)
                compare_pair(&comparison, &giver, &receiver, amount->given);
        }
    }
    return comparison.pair;
}

/* How many others a member has something to say of. */
static size_t count_needed(const struct part *part)
{
    const struct communicator *communicator = part->member->communicator;
    const size_t size = (size_t)communicator->size;
    if (communicator->intercommunicator)
        return (size_t)communicator->remote_size;
    switch (part->call->data_flow) {
    case MPILENS_FLOW_ROOT_TO_ALL:
    case MPILENS_FLOW_ALL_TO_ROOT:
        return part->call->root == communicator->rank ? size - 1 : 1;
    case MPILENS_FLOW_NEIGHBOURS:
        return 1;
    default:
        return size - 1;
    }
}

bool round_amounts_are_compared(const struct collective_round *round)
{
    for (size_t i = 0; i < round->members.count; i++) {
        const struct part part = part_of(round, i);
        if (part.call == NULL || !(part.call->active || part.call->counts_are_kept) || part.call->amount_count == 0 ||
            part.call->amount_count < count_needed(&part))
            return false;
        for (size_t j = 0; j < part.call->amount_count; j++) {
            const struct collective_amount *amount = &part.call->amounts[j];
            const struct part other = find_part(round, amount->peer_world);
            if (other.member == NULL || (amount->given >= 0) != (find_expected(&part, &other) >= 0) ||
                (amount->expected >= 0) != (find_given(&other, &part) >= 0))
                return false;
        }
    }
    return true;
}
