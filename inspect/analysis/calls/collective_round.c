/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares the n-th collective call on a communicator, window or file across all of its members.
 */
#include "analysis/calls/calls.h"

#include "mpilens/words.h"

#include <string.h>

static const char *function_of(const struct collective_call *call)
{
    return function_of_any_count(call->function, call->small_count);
}

static bool is_data(enum round_difference difference)
{
    return difference == ROUND_OTHER_SIZE || difference == ROUND_OTHER_SIGNATURE;
}

static bool must_agree(const struct collective_call *call, uint32_t agreement)
{
    return (call->agreement & agreement) != 0;
}

static bool differ_in_types(const struct collective_call *left, const struct collective_call *right)
{
    if (left->signature != 0 && right->signature != 0 && left->signature != right->signature)
        return must_agree(left, MPILENS_AGREE_SAME_DATA);
    /* Elements that are combined must be as many, too, not only the same data. */
    return left->count >= 0 && right->count >= 0 && left->count != right->count &&
           must_agree(left, MPILENS_AGREE_SAME_COUNT);
}

/* Whether what is noted of the call says anything about that. In the group of the root of an intercommunicator nobody
 * but the root gives or takes anything. */
static bool says(const struct collective_call *call, enum round_difference difference)
{
    const bool has_part = !call->has_root || call->root >= 0;
    switch (difference) {
    case ROUND_OTHER_FUNCTION:
        return true;
    case ROUND_OTHER_ROOT:
        return call->has_root && call->root >= 0;
    case ROUND_OTHER_OP:
        return call->op_name[0] != '\0' || call->has_own_op;
    case ROUND_OTHER_ARGUMENTS:
        return call->arguments != NULL && call->arguments[0] != '\0';
    case ROUND_OTHER_SIZE:
        return has_part && call->bytes >= 0;
    case ROUND_OTHER_SIGNATURE:
        return has_part && (call->signature != 0 || call->count >= 0);
    default:
        return false;
    }
}

static bool is_between_groups(const struct job_member *member)
{
    return member->object == NULL && member->communicator->intercommunicator;
}

/* Whether that must be the same at all members. The groups of an intercommunicator have data of their own, and roots
 * that collective_roots_differ compares. */
static bool is_common(const struct job_member *member, const struct collective_call *call,
                      enum round_difference difference)
{
    if (!is_between_groups(member))
        return true;
    return difference != ROUND_OTHER_ROOT &&
           (!is_data(difference) || call->has_root || must_agree(call, MPILENS_AGREE_SAME_ACROSS_GROUPS));
}

bool collective_call_tells(const struct job_member *member, const struct collective_call *call,
                           enum round_difference difference)
{
    if (difference == ROUND_OTHER_ROOT && is_between_groups(member))
        return call->has_root && (call->root >= 0 || call->root_side != 0);
    return says(call, difference) && is_common(member, call, difference);
}

bool collective_members_must_agree(const struct job_member *one, const struct job_member *member,
                                   enum round_difference difference)
{
    if (difference != ROUND_OTHER_ARGUMENTS || one->object != NULL || !one->communicator->intercommunicator)
        return true;
    const struct group *group = one->communicator->group;
    return group != NULL && group_local_rank(group, member->process->rank) >= 0;
}

/* Names behind a semicolon may be of the same file. */
static bool differ_in_arguments(const char *left, const char *right)
{
    const size_t length = strcspn(left, ";");
    return length != strcspn(right, ";") || strncmp(left, right, length) != 0;
}

bool collective_calls_differ(const struct collective_call *left, const struct collective_call *right,
                             enum round_difference difference)
{
    if (!says(left, difference) || !says(right, difference))
        return false;
    switch (difference) {
    case ROUND_OTHER_FUNCTION:
        return strcmp(function_of(left), function_of(right)) != 0;
    case ROUND_OTHER_ROOT:
        return left->root != right->root;
    case ROUND_OTHER_OP:
        return strcmp(left->op_name, right->op_name) != 0;
    case ROUND_OTHER_ARGUMENTS:
        return differ_in_arguments(left->arguments, right->arguments);
    case ROUND_OTHER_SIZE:
        return left->bytes != right->bytes && must_agree(left, MPILENS_AGREE_SAME_DATA);
    default:
        return differ_in_types(left, right);
    }
}

int collective_named_root(const struct job_member *member, const struct collective_call *call)
{
    if (call->root_side == MPILENS_ROOT_ITSELF)
        return member->process->rank;
    return call->root >= 0 ? group_world_rank(member->communicator->remote_group, call->root) : -1;
}

static bool may_be_root(const struct job_member *member, const struct collective_call *call, int root)
{
    const struct group *group = member->communicator->group;
    return call->root_side != MPILENS_ROOT_BESIDE || group == NULL ||
           (root != member->process->rank && group_local_rank(group, root) >= 0);
}

static bool name_other_roots(const struct job_member *left, const struct collective_call *left_call,
                             const struct job_member *right, const struct collective_call *right_call)
{
    const int left_root = collective_named_root(left, left_call);
    const int right_root = collective_named_root(right, right_call);
    if (left_root >= 0 && right_root >= 0)
        return left_root != right_root;
    if (left_root >= 0 || right_root >= 0)
        return left_root >= 0 ? !may_be_root(right, right_call, left_root) : !may_be_root(left, left_call, right_root);
    /* Both stand beside a root of their group, which must be the same. */
    const struct group *group = left->communicator->group;
    return left_call->root_side == MPILENS_ROOT_BESIDE && right_call->root_side == MPILENS_ROOT_BESIDE &&
           group != NULL && group_local_rank(group, right->process->rank) < 0;
}

bool collective_members_differ(const struct job_member *left, const struct collective_call *left_call,
                               const struct job_member *right, const struct collective_call *right_call,
                               enum round_difference difference)
{
    return difference == ROUND_OTHER_ROOT && is_between_groups(left)
               ? name_other_roots(left, left_call, right, right_call)
               : collective_calls_differ(left_call, right_call, difference);
}

uint64_t collective_round_count_begun(const struct job_member *member)
{
    const struct object *object = member->object;
    if (object == NULL)
        return member->communicator->collective_calls;
    return object->window != NULL ? object->window->collective_calls : object->file->collective_calls;
}

bool collective_round_has_begun(const struct job_member *member, uint64_t serial)
{
    return collective_round_count_begun(member) >= serial;
}

const struct collective_call *collective_round_call(const struct job_member *member, uint64_t serial)
{
    const struct object *object = member->object;
    const struct collective_call *calls =
        object != NULL ? object->recent_collectives : member->communicator->recent_collectives;
    const size_t count = object != NULL ? object->collective_call_count : member->communicator->collective_call_count;
    for (size_t i = count; i > 0; i--)
        if (calls[i - 1].serial == serial)
            return &calls[i - 1];
    return NULL;
}

bool collective_round_has_all(const struct collective_round *round)
{
    for (size_t i = 0; i < round->members.count; i++) {
        const struct communicator *communicator = round->members.items[i].communicator;
        if (!collective_round_has_begun(&round->members.items[i], round->serial) || communicator == NULL ||
            round->members.count < (size_t)communicator->size + (size_t)communicator->remote_size)
            return false;
    }
    return round->members.count > 0;
}

bool collective_round_is_over(const struct collective_round *round)
{
    for (size_t i = 0; i < round->members.count; i++) {
        const struct collective_call *call = collective_round_call(&round->members.items[i], round->serial);
        if (call != NULL && call->active)
            return false;
    }
    return true;
}

static bool has_blocked_thread(const struct process *process)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (thread_is_blocked(&process->threads[i]))
            return true;
    return false;
}

bool collective_round_is_left_by_some(const struct collective_round *round)
{
    bool has_left = false, has_stayed = false;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        const struct collective_call *call = collective_round_call(member, round->serial);
        const struct communicator *communicator = member->communicator;
        if (member->object != NULL || !collective_round_has_begun(member, round->serial) ||
            round->members.count < (size_t)communicator->size + (size_t)communicator->remote_size)
            return false;
        if (call != NULL && call->active)
            has_stayed = has_stayed || has_blocked_thread(member->process);
        else
            has_left = has_left || !process_can_act(member->process);
    }
    return has_left && has_stayed;
}

/* Such that members must agree about, but for the root. */
static bool has_arguments(const struct collective_call *call)
{
    return call->data_flow != MPILENS_FLOW_NONE ? call->collective_class != MPILENS_COLLECTIVE_BARRIER
                                                : must_agree(call, MPILENS_AGREE_SAME_ARGUMENTS);
}

/* Data that each gives or takes as one block, or arguments that were noted. */
static bool is_comparable(const struct job_member *member, const struct collective_call *call)
{
    if (must_agree(call, MPILENS_AGREE_SAME_ARGUMENTS))
        return collective_call_tells(member, call, ROUND_OTHER_ARGUMENTS);
    return call->data_flow != MPILENS_FLOW_NONE && call->data_flow != MPILENS_FLOW_NEIGHBOURS &&
           must_agree(call, MPILENS_AGREE_SAME_DATA);
}

/* Whether there are names, and they are not known to be of the same file. */
static bool has_other_name(const struct collective_call *call, const struct collective_call *first)
{
    return call->arguments != NULL && first->arguments != NULL && strcmp(call->arguments, first->arguments) != 0;
}

bool collective_round_is_compared(const struct collective_round *round, bool *ret_has_arguments)
{
    const struct collective_call *first =
        round->members.count > 0 ? collective_round_call(&round->members.items[0], round->serial) : NULL;
    *ret_has_arguments = false;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct collective_call *call = collective_round_call(&round->members.items[i], round->serial);
        *ret_has_arguments = *ret_has_arguments || (call != NULL && (call->has_root || has_arguments(call)));
        if (call == NULL || first == NULL || has_other_name(call, first) ||
            (has_arguments(call) && !is_comparable(&round->members.items[i], call)))
            return false;
    }
    return true;
}

/* The first member whose call tells about that, first of all who the root is; NULL: none. */
static const struct job_member *find_telling(const struct collective_round *round, enum round_difference difference)
{
    const struct job_member *beside = NULL;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        const struct collective_call *call = collective_round_call(member, round->serial);
        if (call == NULL || !collective_call_tells(member, call, difference))
            continue;
        if (difference != ROUND_OTHER_ROOT || call->root_side != MPILENS_ROOT_BESIDE)
            return member;
        if (beside == NULL)
            beside = member;
    }
    return beside;
}

static void compare_calls(struct collective_round *round, enum round_difference difference)
{
    /* One member of each group, where these need not agree. */
    const struct job_member *ones[2] = {find_telling(round, difference), NULL};
    const struct collective_call *usual[2] = {NULL, NULL};
    usual[0] = ones[0] != NULL ? collective_round_call(ones[0], round->serial) : NULL;
    for (size_t i = 0; ones[0] != NULL && i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        const struct collective_call *call = collective_round_call(member, round->serial);
        if (member == ones[0] || call == NULL || !collective_call_tells(member, call, difference))
            continue;
        const size_t group = !collective_members_must_agree(ones[0], member, difference);
        if (ones[group] == NULL) {
            ones[group] = member;
            usual[group] = call;
        } else if (collective_members_differ(ones[group], usual[group], member, call, difference)) {
            round->difference = difference;
            round->one = ones[group];
            round->other = member;
            return;
        }
    }
}

uint64_t collective_class_count(const struct job_member *member, int32_t collective_class)
{
    const char *name = mpilens_collective_class_word((uint32_t)collective_class);
    const struct communicator *communicator = member->communicator;
    for (size_t i = 0; i < communicator->class_count; i++)
        if (strcmp(communicator->collectives[i].class, name) == 0)
            return communicator->collectives[i].count;
    return 0;
}

/* Calls of that class up to that one, which the member remembers. */
static uint64_t count_until(const struct job_member *member, const struct collective_call *last)
{
    uint64_t count = collective_class_count(member, last->collective_class);
    for (size_t i = 0; i < member->communicator->collective_call_count; i++) {
        const struct collective_call *call = &member->communicator->recent_collectives[i];
        if (call->serial > last->serial && call->collective_class == last->collective_class && count > 0)
            count--;
    }
    return count;
}

bool collective_round_was_of_other_class(const struct job_member *member, const struct job_member *one, uint64_t serial)
{
    const struct collective_call *call = collective_round_call(one, serial);
    return call != NULL && collective_round_has_begun(member, serial) &&
           collective_round_call(member, serial) == NULL && member->communicator->class_count > 0 &&
           !process_can_act(member->process) &&
           collective_class_count(member, call->collective_class) < count_until(one, call);
}

/* By whoever is in the call as its last one. */
static void compare_classes(struct collective_round *round)
{
    const struct job_member *one = NULL;
    for (size_t i = 0; i < round->members.count && one == NULL; i++) {
        const struct job_member *member = &round->members.items[i];
        const struct collective_call *call = collective_round_call(member, round->serial);
        if (member->object == NULL && call != NULL && call->active && call->collective_class >= 0 &&
            member->communicator->collective_calls == round->serial && !process_can_act(member->process))
            one = member;
    }
    for (size_t i = 0; one != NULL && i < round->members.count; i++) {
        if (!collective_round_was_of_other_class(&round->members.items[i], one, round->serial))
            continue;
        round->difference = ROUND_OTHER_CLASS;
        round->one = one;
        round->other = &round->members.items[i];
        return;
    }
}

struct collective_round collective_round_find(const struct job_index *index, const struct job_member *one,
                                              uint64_t serial)
{
    struct collective_round round = {.serial = serial,
                                     .members = one->object != NULL ? job_index_object_members(index, one->object)
                                                                    : job_index_members(index, one->communicator->id)};
    for (enum round_difference difference = ROUND_OTHER_FUNCTION;
         difference < ROUND_OTHER_SIGNATURE && round.difference == ROUND_ALIKE; difference++)
        compare_calls(&round, difference);
    if (round.difference == ROUND_ALIKE && collective_round_is_left_by_some(&round))
        compare_calls(&round, ROUND_OTHER_SIGNATURE);
    if (round.difference == ROUND_ALIKE)
        compare_classes(&round);
    return round;
}

enum round_waiting collective_round_waiting(const struct communicator *communicator, const struct collective_call *call)
{
    switch (call->data_flow) {
    case MPILENS_FLOW_ROOT_TO_ALL:
    case MPILENS_FLOW_ALL_TO_ROOT:
        return !communicator->intercommunicator && call->has_root && call->root >= 0 && call->root != communicator->rank
                   ? ROUND_WAITS_FOR_ROOT
                   : ROUND_WAITS_FOR_ALL;
    case MPILENS_FLOW_NEIGHBOURS:
        return ROUND_WAITS_FOR_NEIGHBOURS;
    case MPILENS_FLOW_PREFIX:
        return ROUND_WAITS_FOR_LOWER_RANKS;
    default:
        return ROUND_WAITS_FOR_ALL;
    }
}
