/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups the ranks of a job by what they are doing.
 */
#include "words/words.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Rules that are looked for among calls that differ in nothing but their peers. */
enum { MOST_RULES = 8 };

/* One thread's. */
struct doing {
    int rank;
    double age_s;
    const char *color;
    size_t order;
    struct open_peer peers[MOST_OPEN_PEERS];
};

struct alike {
    const char *text; /* with marks for peers */
    const char *site;
    size_t peer_count;
    struct doing *items;
    size_t count;
};

struct activities activities_of_nobody(bool apart)
{
    return (struct activities){.alike_texts = {.apart = apart}, .closed_texts = {.apart = apart}};
}

/* The number of a text at a place. */
static size_t number_of(struct rank_texts *texts, const char *text, const char *site)
{
    return rank_texts_add_parts(texts, (const char *const[]){text, site}, 2);
}

void activities_add(struct activities *activities, int rank, struct open_call call, const char *site, double age_s,
                    const char *color)
{
    const size_t number = number_of(&activities->alike_texts, call.text, site);
    if (number == activities->alike_count) {
        activities->alike = arena_append(activities->alike, &activities->alike_count, sizeof(struct alike *));
        struct alike *new = arena_allocate(sizeof *new);
        *new = (struct alike){.text = call.text, .site = site, .peer_count = call.peer_count};
        activities->alike[number] = new;
    }
    struct alike *alike = activities->alike[number];
    alike->items = arena_append(alike->items, &alike->count, sizeof *alike->items);
    struct doing *added = &alike->items[alike->count - 1];
    *added = (struct doing){.rank = rank, .age_s = age_s, .color = color, .order = activities->order++};
    memcpy(added->peers, call.peers, sizeof added->peers);
}

/* Adds to the item with the text, which is taken. */
static void add_closed(struct activities *activities, const struct doing *doing, const char *text, const char *site)
{
    struct rank_texts *texts = &activities->closed_texts;
    const size_t number = number_of(texts, text, site);
    if (number == activities->count) {
        struct activity *activity = arena_allocate(sizeof *activity);
        *activity = (struct activity){.text = text,
                                      .site = arena_copy(site),
                                      .least_age_s = doing->age_s,
                                      .most_age_s = doing->age_s,
                                      .color = doing->color,
                                      .order = doing->order,
                                      .ranks = texts->items[number]};
        activities->items = arena_append(activities->items, &activities->count, sizeof(struct activity *));
        activities->items[number] = activity;
    } else {
        struct activity *activity = activities->items[number];
        activity->least_age_s = doing->age_s < activity->least_age_s ? doing->age_s : activity->least_age_s;
        activity->most_age_s = doing->age_s > activity->most_age_s ? doing->age_s : activity->most_age_s;
    }
    ranks_add(&texts->items[number]->ranks, doing->rank);
}

static void add_with_peers(struct activities *activities, const struct alike *alike, const struct doing *doing,
                           const char *const *peers)
{
    add_closed(activities, doing, fill_open_text(alike->text, peers, alike->peer_count), alike->site);
}

static bool follows(const struct alike *alike, const struct peer_rule *rules, const struct doing *doing)
{
    for (size_t i = 0; i < alike->peer_count; i++)
        if (!peer_rule_fits(&rules[i], &doing->peers[i]))
            return false;
    return true;
}

/* The rules that the most follow; returns how many follow all of them. */
static size_t find_rules(const struct alike *alike, struct peer_rule *ret_rules)
{
    struct open_peer *peers = allocate(alike->count * sizeof *peers);
    size_t count = 0;
    for (size_t i = 0; i < alike->peer_count; i++) {
        for (size_t j = 0; j < alike->count; j++)
            peers[j] = alike->items[j].peers[i];
        size_t fitting;
        ret_rules[i] = peer_rule_find(peers, alike->count, &fitting);
    }
    free(peers);
    for (size_t i = 0; i < alike->count; i++)
        count += follows(alike, ret_rules, &alike->items[i]);
    return count;
}

/* Closes those that follow the rules; the others stay. */
static void close_followers(struct activities *activities, struct alike *alike, const struct peer_rule *rules)
{
    const char *peers[MOST_OPEN_PEERS] = {NULL};
    size_t others = 0;
    for (size_t i = 0; i < alike->peer_count; i++)
        peers[i] = describe_peer_rule(&rules[i]);
    for (size_t i = 0; i < alike->count; i++) {
        if (follows(alike, rules, &alike->items[i]))
            add_with_peers(activities, alike, &alike->items[i], peers);
        else
            alike->items[others++] = alike->items[i];
    }
    alike->count = others;
}

static void close_one(struct activities *activities, const struct alike *alike, const struct doing *doing)
{
    const char *peers[MOST_OPEN_PEERS] = {NULL};
    for (size_t i = 0; i < alike->peer_count; i++)
        peers[i] = describe_rank(doing->peers[i].local, doing->peers[i].world);
    add_with_peers(activities, alike, doing, peers);
}

static void close_alike(struct activities *activities, struct alike *alike)
{
    for (size_t i = 0; i < MOST_RULES && alike->peer_count > 0 && alike->count >= LEAST_IN_PATTERN; i++) {
        struct peer_rule rules[MOST_OPEN_PEERS];
        if (find_rules(alike, rules) < LEAST_IN_PATTERN)
            break;
        close_followers(activities, alike, rules);
    }
    for (size_t i = 0; i < alike->count; i++)
        close_one(activities, alike, &alike->items[i]);
}

static int compare_order(const void *left_activity, const void *right_activity)
{
    const struct activity *left = *(struct activity *const *)left_activity;
    const struct activity *right = *(struct activity *const *)right_activity;
    return left->order < right->order ? -1 : left->order > right->order;
}

void activities_close(struct activities *activities)
{
    for (size_t i = 0; i < activities->alike_count; i++)
        close_alike(activities, activities->alike[i]);
    if (activities->count > 1)
        qsort(activities->items, activities->count, sizeof(struct activity *), compare_order);
}
