/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The n-th collective call on a communicator, window or file, at all of its members.
 */
#include "collective_round.h"

#include <string.h>
#include <strings.h>

/* What the name says without MPI_, the I of nonblocking calls, and the endings of large counts and persistent calls. */
static const char *bare_name(const char *function, size_t *ret_length)
{
    const char *name = strncmp(function, "MPI_", 4) == 0 ? function + 4 : function;
    if (name[0] == 'I')
        name++;
    size_t length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, "_c") == 0)
        length -= 2;
    if (length > 5 && strncmp(name + length - 5, "_init", 5) == 0)
        length -= 5;
    *ret_length = length;
    return name;
}

static bool is_among(const char *function, const char *const names[])
{
    size_t length;
    const char *name = bare_name(function, &length);
    for (size_t i = 0; names[i] != NULL; i++)
        if (strlen(names[i]) == length && strncasecmp(names[i], name, length) == 0)
            return true;
    return false;
}

static bool same_function(const char *left, const char *right)
{
    const size_t left_length = strlen(left), right_length = strlen(right);
    const size_t shorter = left_length < right_length ? left_length : right_length;
    const char *rest = left_length > shorter ? left + shorter : right + shorter;
    return strncmp(left, right, shorter) == 0 && (rest[0] == '\0' || strcmp(rest, "_c") == 0);
}

static bool must_agree_in_size(const char *function)
{
    static const char *const names[] = {"bcast", "reduce", "allreduce", "scan", "exscan", "reduce_scatter_block", NULL};
    return is_among(function, names);
}

bool collective_calls_differ(const struct collective_call *left, const struct collective_call *right,
                             enum round_difference difference)
{
    switch (difference) {
    case ROUND_OTHER_FUNCTION:
        return !same_function(left->function, right->function);
    case ROUND_OTHER_ROOT:
        return left->has_root && right->has_root && left->root >= 0 && right->root >= 0 && left->root != right->root;
    case ROUND_OTHER_OP:
        return (left->op_name[0] != '\0' && right->op_name[0] != '\0' && strcmp(left->op_name, right->op_name) != 0) ||
               (left->has_own_op && right->op_name[0] != '\0') || (right->has_own_op && left->op_name[0] != '\0');
    case ROUND_OTHER_SIZE:
        return must_agree_in_size(left->function) && left->bytes >= 0 && right->bytes >= 0 &&
               left->bytes != right->bytes;
    default:
        return false;
    }
}

bool collective_round_has_begun(const struct job_member *member, uint64_t serial)
{
    const struct object *object = member->object;
    if (object == NULL)
        return member->communicator->collective_count >= serial;
    return (object->window != NULL ? object->window->collective_count : object->file->collective_count) >= serial;
}

const struct collective_call *collective_round_call(const struct job_member *member, uint64_t serial)
{
    const struct object *object = member->object;
    const struct collective_call *calls = object != NULL ? object->collectives : member->communicator->collectives;
    const size_t count = object != NULL ? object->collective_call_count : member->communicator->collective_call_count;
    for (size_t i = count; i > 0; i--)
        if (calls[i - 1].serial == serial)
            return &calls[i - 1];
    return NULL;
}

static void compare_calls(struct collective_round *round, enum round_difference difference)
{
    const struct job_member *one = NULL;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        const struct collective_call *call = collective_round_call(member, round->serial);
        if (call == NULL ||
            (difference == ROUND_OTHER_ROOT && member->object == NULL && member->communicator->intercommunicator))
            continue;
        if (one == NULL) {
            one = member;
        } else if (collective_calls_differ(collective_round_call(one, round->serial), call, difference)) {
            round->difference = difference;
            round->one = one;
            round->other = member;
            return;
        }
    }
}

struct collective_round collective_round_find(const struct job_index *index, const struct job_member *one,
                                              uint64_t serial)
{
    struct collective_round round = {.serial = serial,
                                     .members = one->object != NULL ? job_index_object_members(index, one->object)
                                                                    : job_index_members(index, one->communicator->id)};
    for (enum round_difference difference = ROUND_OTHER_FUNCTION;
         difference <= ROUND_OTHER_SIZE && round.difference == ROUND_ALIKE; difference++)
        compare_calls(&round, difference);
    return round;
}

enum round_waiting collective_round_waiting(const struct communicator *communicator, const struct collective_call *call)
{
    static const char *const from_root[] = {"bcast", "scatter", "scatterv", "reduce", "gather", "gatherv", NULL};
    static const char *const scans[] = {"scan", "exscan", NULL};
    if (!communicator->intercommunicator && call->has_root && call->root >= 0 && call->root != communicator->rank &&
        is_among(call->function, from_root))
        return ROUND_WAITS_FOR_ROOT;
    return is_among(call->function, scans) ? ROUND_WAITS_FOR_LOWER_RANKS : ROUND_WAITS_FOR_ALL;
}
