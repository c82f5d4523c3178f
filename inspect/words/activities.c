/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What ranks are doing.
 */
#include "words/activities.h"

#include "base/allocation.h"
#include "words/peer_rule.h"

#include <search.h>
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
    char *text; /* with marks for peers */
    char *site;
    size_t peer_count;
    struct doing *items;
    size_t count;
};

static int compare_alike(const void *left_alike, const void *right_alike)
{
    const struct alike *left = left_alike, *right = right_alike;
    const int texts = strcmp(left->text, right->text);
    return texts != 0 ? texts : strcmp(left->site, right->site);
}

static int compare_closed(const void *left_activity, const void *right_activity)
{
    const struct activity *left = left_activity, *right = right_activity;
    const int texts = strcmp(left->text, right->text);
    return texts != 0 ? texts : strcmp(left->site, right->site);
}

static void alike_destroy(struct alike *alike)
{
    free(alike->text);
    free(alike->site);
    free(alike->items);
    free(alike);
}

/* Those with the text and place of `wanted`, which is taken. */
static struct alike *find_alike(struct activities *activities, struct alike *wanted)
{
    struct alike *const *found = activities->merge ? tsearch(wanted, &activities->alike_tree, compare_alike) : NULL;
    if (found != NULL && *found != wanted) {
        alike_destroy(wanted);
        return *found;
    }
    activities->alike = array_append(activities->alike, &activities->alike_count, sizeof(struct alike *));
    activities->alike[activities->alike_count - 1] = wanted;
    return wanted;
}

void activities_add(struct activities *activities, int rank, struct open_call call, char *site, double age_s,
                    const char *color)
{
    struct alike *wanted = allocate(sizeof *wanted);
    *wanted = (struct alike){.text = call.text, .peer_count = call.peer_count};
    wanted->site = site;
    struct alike *alike = find_alike(activities, wanted);
    alike->items = array_append(alike->items, &alike->count, sizeof *alike->items);
    struct doing *added = &alike->items[alike->count - 1];
    *added = (struct doing){.rank = rank, .age_s = age_s, .color = color, .order = activities->order++};
    memcpy(added->peers, call.peers, sizeof added->peers);
}

/* Adds to the item with the text, which is taken. */
static void add_closed(struct activities *activities, const struct doing *doing, char *text, const char *site)
{
    struct activity *activity = allocate(sizeof *activity);
    *activity = (struct activity){.site = copy_text(site),
                                  .least_age_s = doing->age_s,
                                  .most_age_s = doing->age_s,
                                  .color = doing->color,
                                  .order = doing->order};
    activity->text = text;
    struct activity *const *found =
        activities->merge ? tsearch(activity, &activities->closed_tree, compare_closed) : NULL;
    if (found == NULL || *found == activity) {
        activities->items = array_append(activities->items, &activities->count, sizeof(struct activity *));
        activities->items[activities->count - 1] = activity;
    } else {
        free(activity->text);
        free(activity->site);
        free(activity);
        activity = *found;
        activity->least_age_s = doing->age_s < activity->least_age_s ? doing->age_s : activity->least_age_s;
        activity->most_age_s = doing->age_s > activity->most_age_s ? doing->age_s : activity->most_age_s;
    }
    if (activity->rank_count > 0 && activity->ranks[activity->rank_count - 1] == doing->rank)
        return; /* several threads of it */
    activity->ranks = array_append(activity->ranks, &activity->rank_count, sizeof *activity->ranks);
    activity->ranks[activity->rank_count - 1] = doing->rank;
}

static void add_with_peers(struct activities *activities, const struct alike *alike, const struct doing *doing,
                           char *const *peers)
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
    char *peers[MOST_OPEN_PEERS] = {NULL};
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
    for (size_t i = 0; i < alike->peer_count; i++)
        free(peers[i]);
}

static void close_one(struct activities *activities, const struct alike *alike, const struct doing *doing)
{
    char *peers[MOST_OPEN_PEERS] = {NULL};
    for (size_t i = 0; i < alike->peer_count; i++)
        peers[i] = describe_rank(doing->peers[i].local, doing->peers[i].world);
    add_with_peers(activities, alike, doing, peers);
    for (size_t i = 0; i < alike->peer_count; i++)
        free(peers[i]);
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

static void keep(void *item)
{
    (void)item; /* an array has it */
}

void activities_close(struct activities *activities)
{
    for (size_t i = 0; i < activities->alike_count; i++)
        close_alike(activities, activities->alike[i]);
    if (activities->count > 1)
        qsort(activities->items, activities->count, sizeof(struct activity *), compare_order);
}

void activities_clear(struct activities *activities)
{
    tdestroy(activities->alike_tree, keep);
    tdestroy(activities->closed_tree, keep);
    for (size_t i = 0; i < activities->alike_count; i++)
        alike_destroy(activities->alike[i]);
    for (size_t i = 0; i < activities->count; i++) {
        free(activities->items[i]->text);
        free(activities->items[i]->site);
        free(activities->items[i]->ranks);
        free(activities->items[i]);
    }
    free(activities->alike);
    free(activities->items);
    *activities = (struct activities){.merge = activities->merge};
}
