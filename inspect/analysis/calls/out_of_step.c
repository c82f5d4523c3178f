/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares the n-th calls of members.
 */
#include "analysis/calls/calls.h"

#include "base/base.h"

#include <stdlib.h>

enum {
    MOST_MEMBERS = 64, /* that are compared */
    MOST_PLACES = 32,  /* of one member, that are told apart */
    LEAST_MEMBERS = 3,
    LEAST_UNLIKE = 2, /* calls of one that is out of step */
    LEAST_SHIFTED = 5,
    LEAST_EXCHANGED = 6,
    LEAST_SURE = 12, /* as chance does not bring it about */
    LEAST_SURE_PLACES = 3,
    LEAST_SURE_DOUBLING = 5, /* at least this many marks remain, whichever are thinned out next */
    FIRST_DOUBLING = 32,
    MOST_AHEAD = 2, /* calls that it may have made more or less than the others */
};

/* Two places of which calls go together. */
struct place_pair {
    const struct site *own, *usual;
};

struct place_pairs {
    struct place_pair items[MOST_PLACES];
    size_t count;
};

struct follower {
    const struct job_member *member;
    struct place_pairs usual_pairs; /* as long as it kept step */
    struct place_pairs pairs;       /* since then */
    bool pairs_change;
    size_t alike_after, unlike; /* calls since the first that was not as the others' */
    bool other_function;        /* in one of them: its choice of a place alone does not explain that */
    struct out_of_step step;
};

struct followers {
    struct follower *items;
    size_t count;
};

static void add_follower(struct followers *followers, const struct job_member *member)
{
    for (size_t i = 0; i < followers->count; i++)
        if (followers->items[i].member == member)
            return;
    if (member != NULL && member->communicator != NULL && followers->count < MOST_MEMBERS)
        followers->items[followers->count++] = (struct follower){.member = member};
}

static struct followers choose(const struct job_members *members, const struct ranks *first)
{
    struct followers followers = {.items = allocate(MOST_MEMBERS * sizeof(struct follower))};
    for (size_t i = 0; i < first->count && i < MOST_MEMBERS / 2; i++)
        add_follower(&followers, job_members_find(members, first->items[i]));
    for (size_t i = 0; i < members->count && i < MOST_MEMBERS; i++)
        add_follower(&followers, &members->items[i]);
    return followers;
}

/* With its place. */
static bool find_made(const struct job_member *member, uint64_t serial, struct made_call *ret_made)
{
    return made_call_find(member, serial, ret_made) && ret_made->site != NULL;
}

static bool are_the_same(const struct made_call *left, const struct made_call *right)
{
    return made_calls_have_same_function(left, right) && site_is_same(left->site, right->site);
}

/* The call that more than half of the members made, among those that remember it. */
static bool find_usual(const struct followers *followers, uint64_t serial, struct made_call *ret_usual)
{
    struct made_call made[MOST_MEMBERS];
    size_t count = 0;
    for (size_t i = 0; i < followers->count; i++)
        count += find_made(followers->items[i].member, serial, &made[count]);
    for (size_t i = 0; i < count && count >= LEAST_MEMBERS; i++) {
        size_t alike = 0;
        for (size_t j = 0; j < count; j++)
            alike += are_the_same(&made[i], &made[j]);
        if (alike * 2 > count) {
            *ret_usual = made[i];
            return true;
        }
    }
    return false;
}

/* Whether the two places have not gone with others before. */
static bool go_together(struct place_pairs *pairs, const struct made_call *own, const struct made_call *usual)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const struct place_pair *pair = &pairs->items[i];
        const bool same_own = site_is_same(pair->own, own->site), same_usual = site_is_same(pair->usual, usual->site);
        if (same_own || same_usual)
            return same_own && same_usual;
    }
    if (pairs->count < MOST_PLACES)
        pairs->items[pairs->count++] = (struct place_pair){own->site, usual->site};
    return true;
}

static void follow(struct follower *follower, uint64_t serial, const struct made_call *usual)
{
    struct made_call own;
    struct out_of_step *step = &follower->step;
    if (!find_made(follower->member, serial, &own))
        return;
    const bool same_function = made_calls_have_same_function(&own, usual);
    const bool is_alike =
        same_function && (go_together(&follower->usual_pairs, &own, usual) || site_is_same(own.site, usual->site));
    follower->other_function = follower->other_function || !same_function;
    if (!is_alike && step->member == NULL) {
        const uint64_t last_alike = step->last_alike;
        *step = (struct out_of_step){
            .member = follower->member, .last_alike = last_alike, .since = serial, .own = own, .usual = *usual};
    }
    if (step->member != NULL && !go_together(&follower->pairs, &own, usual))
        follower->pairs_change = true;
    if (step->member == NULL)
        step->last_alike = serial;
    else if (is_alike)
        follower->alike_after++;
    else
        follower->unlike++;
}

/* Whether its calls equal the calls that the others made `calls` later, negative: earlier. */
static bool is_shifted_by(const struct followers *followers, const struct follower *follower, int calls)
{
    const struct communicator *communicator = follower->member->communicator;
    size_t alike = 0;
    for (size_t i = 0; i < communicator->collective_call_count; i++) {
        const struct collective_call *call = &communicator->recent_collectives[i];
        struct made_call own, usual;
        if (call->serial < follower->step.since || !find_made(follower->member, call->serial, &own) ||
            !find_usual(followers, call->serial + (uint64_t)calls, &usual))
            continue;
        if (!are_the_same(&own, &usual))
            return false;
        alike++;
    }
    return alike >= LEAST_SHIFTED;
}

static bool is_shifted(const struct followers *followers, const struct follower *follower)
{
    for (int calls = 1; calls <= MOST_AHEAD; calls++)
        if (is_shifted_by(followers, follower, calls) || is_shifted_by(followers, follower, -calls))
            return true;
    return false;
}

/* Whether it is at one place of the others whenever they are at a certain other place. */
static bool has_exchanged_places(const struct follower *follower)
{
    const struct place_pairs *pairs = &follower->pairs;
    if (follower->pairs_change || pairs->count < 2 || follower->unlike < LEAST_EXCHANGED)
        return false;
    for (size_t i = 0; i < pairs->count; i++) {
        bool is_usual = false;
        for (size_t j = 0; j < pairs->count; j++)
            is_usual = is_usual || site_is_same(pairs->items[i].own, pairs->items[j].usual);
        if (!is_usual)
            return false;
    }
    return true;
}

/* A rank that chooses between two places by its data is not. */
static bool is_out_of_step(const struct followers *followers, const struct follower *follower)
{
    return follower->step.member != NULL && follower->unlike >= LEAST_UNLIKE &&
           follower->unlike >= follower->alike_after &&
           (follower->other_function || has_exchanged_places(follower) || is_shifted(followers, follower));
}

static int compare_serials(const void *left_serial, const void *right_serial)
{
    const uint64_t left = *(const uint64_t *)left_serial, right = *(const uint64_t *)right_serial;
    return left < right ? -1 : left > right;
}

/* Lists all calls that any of them remembers, in order. */
static uint64_t *list_serials(const struct followers *followers, size_t *ret_count)
{
    uint64_t *serials = NULL;
    size_t count = 0;
    for (size_t i = 0; i < followers->count; i++) {
        const struct communicator *communicator = followers->items[i].member->communicator;
        for (size_t j = 0; j < communicator->mark_count + communicator->collective_call_count; j++) {
            serials = array_append(serials, &count, sizeof *serials);
            serials[count - 1] = j < communicator->mark_count
                                     ? communicator->marks[j].serial
                                     : communicator->recent_collectives[j - communicator->mark_count].serial;
        }
    }
    if (count > 1)
        qsort(serials, count, sizeof *serials, compare_serials);
    *ret_count = count;
    return serials;
}

static void follow_all(struct followers *followers, const uint64_t *serials, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct made_call usual;
        if ((i > 0 && serials[i] == serials[i - 1]) || !find_usual(followers, serials[i], &usual))
            continue;
        for (size_t j = 0; j < followers->count; j++)
            follow(&followers->items[j], serials[i], &usual);
    }
}

struct out_of_step out_of_step_find(const struct job_index *index, const struct communicator *communicator,
                                    const struct ranks *first)
{
    const struct job_members members = job_index_members(index, communicator->id);
    struct followers followers = choose(&members, first);
    struct out_of_step odd = {.member = NULL};
    size_t count, odd_count = 0;
    uint64_t *serials = list_serials(&followers, &count);
    follow_all(&followers, serials, count);
    for (size_t i = 0; i < followers.count; i++)
        if (is_out_of_step(&followers, &followers.items[i]) && odd_count++ == 0)
            odd = followers.items[i].step;
    odd.others = followers.count - 1;
    free(serials);
    free(followers.items);
    return odd_count == 1 ? odd : (struct out_of_step){.member = NULL};
}

/* Keeps the calls whose marks stay for ever: powers of two. */
static size_t keep_doubling(uint64_t *serials, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (serials[i] >= FIRST_DOUBLING && (serials[i] & (serials[i] - 1)) == 0)
            serials[kept++] = serials[i];
    return kept;
}

/* Two places may change roles on purpose. */
static bool is_sure(const struct follower *by_all, const struct follower *by_doubling)
{
    return by_doubling->step.member != NULL &&
           ((by_doubling->other_function && by_doubling->unlike >= LEAST_UNLIKE) ||
            (has_exchanged_places(by_all) && by_all->pairs.count >= LEAST_SURE_PLACES && by_all->unlike >= LEAST_SURE &&
             by_all->alike_after == 0 && by_doubling->unlike >= LEAST_SURE_DOUBLING));
}

struct out_of_step out_of_step_find_running(const struct job_index *index, const struct communicator *communicator)
{
    const struct job_members members = job_index_members(index, communicator->id);
    const struct ranks nobody = {0};
    struct followers by_all = choose(&members, &nobody), by_doubling = choose(&members, &nobody);
    struct out_of_step odd = {.member = NULL};
    size_t count, odd_count = 0;
    uint64_t *serials = list_serials(&by_all, &count);
    follow_all(&by_all, serials, count);
    follow_all(&by_doubling, serials, keep_doubling(serials, count));
    for (size_t i = 0; i < by_all.count; i++)
        if (is_sure(&by_all.items[i], &by_doubling.items[i]) && odd_count++ == 0)
            odd = by_doubling.items[i].step;
    odd.others = by_all.count - 1;
    free(serials);
    free(by_all.items);
    free(by_doubling.items);
    return odd_count == 1 ? odd : (struct out_of_step){.member = NULL};
}
