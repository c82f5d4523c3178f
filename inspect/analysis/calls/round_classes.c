/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Splits the members of a collective call into classes that made it alike.
 */
#include "analysis/calls/calls.h"

#include <stdlib.h>
#include <string.h>

bool is_same_place(const struct site *left, const struct site *right)
{
    return left == right || (left != NULL && right != NULL && left->file != NULL && right->file != NULL &&
                             left->line == right->line && strcmp(left->file, right->file) == 0);
}

static struct round_class *find_class(struct round_classes *classes, const struct job_member *member,
                                      const struct collective_call *call, enum round_difference difference)
{
    for (size_t i = 0; i < classes->count; i++)
        if (!collective_members_differ(classes->items[i].first, classes->items[i].call, member, call, difference))
            return &classes->items[i];
    if (classes->count == MOST_ROUND_CLASSES)
        return NULL;
    classes->items[classes->count] = (struct round_class){.call = call, .first = member};
    return &classes->items[classes->count++];
}

static void add_member(struct round_classes *classes, const struct job_member *member,
                       const struct collective_round *round)
{
    const struct collective_call *call = collective_round_call(member, round->serial);
    struct round_class *class = NULL;
    if (call != NULL && collective_call_tells(member, call, round->difference))
        class = find_class(classes, member, call, round->difference);
    if (call != NULL && call->age_s >= 0 && (classes->last_s < 0 || call->age_s < classes->last_s))
        classes->last_s = call->age_s;
    if (class != NULL) {
        ranks_add(&class->ranks, member->process->rank);
        class->has_other_sites |= !is_same_place(call->site, class->call->site);
    } else if (collective_round_has_begun(member, round->serial)) {
        ranks_add(&classes->others, member->process->rank);
    } else {
        ranks_add(&classes->missing, member->process->rank);
    }
}

/* Whether its call fits several roots: it comes after all that name one. */
static bool stands_beside(const struct job_member *member, const struct collective_round *round)
{
    const struct collective_call *call = collective_round_call(member, round->serial);
    return round->difference == ROUND_OTHER_ROOT && call != NULL && call->root_side == MPILENS_ROOT_BESIDE;
}

static int compare_classes(const void *left_class, const void *right_class)
{
    const struct round_class *left = left_class;
    const struct round_class *right = right_class;
    const size_t of_left = left->ranks.count + right->against.count;
    const size_t of_right = right->ranks.count + left->against.count;
    if (of_left != of_right)
        return of_left > of_right ? -1 : 1;
    return left->ranks.items[0] < right->ranks.items[0] ? -1 : left->ranks.items[0] > right->ranks.items[0];
}

static void finish(struct round_classes *classes)
{
    for (size_t i = 0; i < classes->count; i++) {
        ranks_finish(&classes->items[i].ranks);
        ranks_finish(&classes->items[i].against);
    }
    ranks_finish(&classes->others);
    ranks_finish(&classes->missing);
}

static void find_against(struct round_classes *classes, const struct collective_round *round)
{
    if (round->difference != ROUND_OTHER_FUNCTION || round->one->object != NULL)
        return;
    for (size_t i = 0; i < classes->count; i++) {
        struct round_class *class = &classes->items[i];
        for (size_t j = 0; j < round->members.count; j++) {
            const struct job_member *member = &round->members.items[j];
            if (collective_round_was_of_other_class(member, class->first, round->serial))
                ranks_add(&class->against, member->process->rank);
        }
    }
}

static size_t count_all(const struct communicator *communicator, bool of_group)
{
    if (communicator == NULL)
        return 0;
    return (size_t)communicator->size + (of_group ? 0 : (size_t)communicator->remote_size);
}

/* Adds the members that stand beside the round, or the others. */
static void add_members(struct round_classes *classes, const struct collective_round *round, bool beside)
{
    for (size_t i = 0; i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        const bool belongs = collective_members_must_agree(round->one, member, round->difference);
        if (stands_beside(member, round) != beside)
            continue;
        classes->size += belongs;
        classes->is_of_group |= !belongs;
        if (belongs)
            add_member(classes, member, round);
    }
}

struct round_classes round_classes_find(const struct collective_round *round)
{
    struct round_classes classes = {.last_s = -1};
    add_members(&classes, round, false);
    add_members(&classes, round, true);
    find_against(&classes, round);
    finish(&classes);
    const size_t size = count_all(round->one->communicator, classes.is_of_group);
    if (size > classes.size)
        classes.size = size;
    qsort(classes.items, classes.count, sizeof *classes.items, compare_classes);
    return classes;
}

static size_t count_come(const struct round_classes *classes)
{
    size_t count = classes->others.count;
    for (size_t i = 0; i < classes->count; i++)
        count += classes->items[i].ranks.count;
    return count;
}

bool round_classes_have_usual(const struct round_classes *classes)
{
    if (classes->count == 0)
        return false;
    const struct round_class *usual = &classes->items[0];
    if (count_come(classes) == classes->size)
        return classes->count < 2 || usual->ranks.count + classes->items[1].against.count >
                                         classes->items[1].ranks.count + usual->against.count;
    return usual->against.count == 0 && usual->ranks.count * 2 > classes->size;
}

static bool is_lone_root(const struct round_class *class)
{
    return class->ranks.count == 1 && class->call->has_root;
}

bool round_classes_are_of_other_sites(const struct round_classes *classes)
{
    for (size_t i = 0; i < classes->count; i++) {
        const struct round_class *class = &classes->items[i];
        if (class->call->site == NULL || class->has_other_sites || is_lone_root(class))
            return false;
        for (size_t j = 0; j < i; j++)
            if (is_same_place(class->call->site, classes->items[j].call->site))
                return false;
    }
    return classes->count > 1;
}

static bool is_shared(const struct collective_round *round, const struct collective_call *made, bool *ret_is_known)
{
    size_t count = 0;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct collective_call *call = collective_round_call(&round->members.items[i], made->serial);
        if (!collective_round_has_begun(&round->members.items[i], made->serial))
            return false;
        if (call == NULL)
            continue;
        if (call->site == NULL || !is_same_place(call->site, made->site) || strcmp(call->function, made->function) != 0)
            return false;
        count++;
    }
    *ret_is_known = count > 1;
    return true;
}

const struct collective_call *round_last_shared(const struct collective_round *round)
{
    bool is_known = true;
    for (uint64_t serial = round->serial; serial > 1 && is_known; serial--) {
        const struct collective_call *made = collective_round_call(round->one, serial - 1);
        if (made == NULL)
            return NULL;
        if (is_shared(round, made, &is_known))
            return is_known ? made : NULL;
    }
    return NULL;
}
