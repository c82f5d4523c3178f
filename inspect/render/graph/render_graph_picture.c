/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Turns classes of processes into nodes that fit on a page.
 */

#include "base/base.h"
#include "render/graph/render_graph_internal.h"

#include <stdlib.h>
#include <string.h>

/* Classes of one role that do the same stay apart up to this number, also where there are too many in all; and
 * targets of one class that are looked at in search of culprits. */
enum { MOST_ALIKE = 3, MOST_FOLLOWED = 1000 };

/* How classes become nodes. */
struct merging {
    const struct classes *classes;
    const struct cycles *cycles;
    size_t *cycle_of; /* by class: 1 + the cycle that it is in, 0: none */
    size_t *by_cycle; /* 1 + its node, 0: none yet */
    bool *stays;      /* by class: it is a node of its own */
    size_t *kept;     /* classes that stay, as found */
    size_t kept_count;
    size_t *node_of; /* by class */
    size_t *by_sort; /* by sort of classes: 1 + the node of all of them that do not stay, 0: none yet */
    size_t by_role[PICTURE_ROLE_COUNT]; /* processes that do not even fit as sorts, by role */
};

static void keep(struct merging *merging, size_t class)
{
    if (merging->stays[class] || merging->cycle_of[class] != 0)
        return;
    merging->stays[class] = true;
    merging->kept[merging->kept_count++] = class;
}

static bool is_full(const struct merging *merging)
{
    return merging->kept_count >= MOST_SINGLE_CULPRITS;
}

/* Keeps culprits that the class waits for. */
static void follow(struct merging *merging, size_t class)
{
    const struct classes *classes = merging->classes;
    const struct standing *standing = &classes->standings[classes->items[class].first];
    for (size_t i = 0; i < standing->wait_count; i++) {
        const struct ranks *targets = standing->waits[i].targets;
        for (size_t j = 0; targets != NULL && j < targets->count && j < MOST_FOLLOWED && !is_full(merging); j++) {
            const size_t number = process_number(classes->job, targets->items[j]);
            if (number < classes->job->process_count && classes->standings[number].role == PICTURE_CAUSE)
                keep(merging, classes->standings[number].class);
        }
    }
}

/* Some culprits, so that those that wait for each other come together. */
static void keep_culprits(struct merging *merging)
{
    const struct classes *classes = merging->classes;
    const struct findings *findings = &classes->analysis->findings;
    size_t followed = 0;
    for (size_t i = 0; i < findings->count; i++)
        for (size_t j = 0; j < findings->items[i].culprits.count && !is_full(merging); j++) {
            const size_t number = process_number(classes->job, findings->items[i].culprits.items[j]);
            if (number == classes->job->process_count)
                continue;
            keep(merging, classes->standings[number].class);
            for (; followed < merging->kept_count && !is_full(merging); followed++)
                follow(merging, merging->kept[followed]);
        }
}

static void keep_few_alike(struct merging *merging)
{
    const struct classes *classes = merging->classes;
    size_t *alike = allocate((classes->sort_count + 1) * sizeof *alike);
    for (size_t i = 0; i < classes->count; i++)
        alike[classes->items[i].sort]++;
    for (size_t i = 0; i < classes->count && merging->kept_count < MOST_PICTURE_NODES; i++)
        if (alike[classes->items[i].sort] <= MOST_ALIKE)
            keep(merging, i);
    free(alike);
}

static size_t add_node(struct picture *picture, enum picture_role role, const char *pattern)
{
    struct picture_node *node = &picture->nodes[picture->node_count++];
    node->role = role;
    node->call = pattern != NULL ? arena_copy(pattern) : "different calls\n";
    node->least_age_s = -1;
    node->most_age_s = -1;
    return picture->node_count - 1;
}

/* The node of a class. */
static size_t place(struct merging *merging, size_t class, struct picture *picture)
{
    const struct picture_class *self = &merging->classes->items[class];
    if (merging->stays[class])
        return add_node(picture, self->role, self->pattern);
    const size_t cycle = merging->cycle_of[class];
    size_t *shared = cycle != 0 ? &merging->by_cycle[cycle - 1] : &merging->by_sort[self->sort];
    const bool fits = cycle != 0 || *shared != 0 || picture->node_count < MOST_PICTURE_NODES + MOST_SINGLE_CULPRITS;
    if (!fits)
        shared = &merging->by_role[self->role];
    if (*shared == 0)
        *shared = 1 + add_node(picture, self->role, fits ? self->pattern : NULL);
    return *shared - 1;
}

static void widen_age(struct picture_node *node, double age_s)
{
    if (age_s < 0)
        return;
    if (node->least_age_s < 0 || age_s < node->least_age_s)
        node->least_age_s = age_s;
    if (age_s > node->most_age_s)
        node->most_age_s = age_s;
}

static void add_member(const struct merging *merging, size_t number, struct picture_node *node)
{
    const struct process *process = &merging->classes->job->processes[number];
    ranks_add(&node->ranks, process->rank);
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] != '\0')
            widen_age(node, process->threads[i].age_s);
}

static void add_waits(const struct standing *standing, struct picture_node *node)
{
    for (size_t i = 0; i < standing->wait_count; i++) {
        const struct rank_wait *wait = &standing->waits[i];
        const size_t count = wait->targets != NULL ? wait->targets->count : 0;
        if (count >= node->target_count) {
            node->target_count = count;
            node->mode = wait->mode;
        }
    }
}

/* A pattern has a call and a place in turn; the first of each is shown. */
static void finish_node(const struct merging *merging, const struct communicator_labels *labels,
                        struct picture_node *node)
{
    const char *pattern = node->call;
    const char *end = strchr(pattern, '\n');
    const char *site_end = end != NULL ? strchr(end + 1, '\n') : NULL;
    const bool has_more = site_end != NULL && site_end[1] != '\0';
    const char *call = describe_common_call(merging->classes->job, node, labels);
    node->site = site_end != NULL ? arena_text("%.*s", (int)(site_end - end) - 1, end + 1) : "";
    node->call = arena_text("%.*s%s", (int)strcspn(call != NULL ? call : pattern, call != NULL ? "" : "\n"),
                            call != NULL ? call : pattern, has_more ? " and other threads" : "");
}

/* The ranks of the cycle in its order. */
static void fill_ring(const struct merging *merging, size_t number, struct picture *picture)
{
    const struct cycle *cycle = &merging->cycles->items[number];
    const struct classes *classes = merging->classes;
    struct picture_node *node = &picture->nodes[merging->by_cycle[number] - 1];
    node->ring = arena_allocate(cycle->count * sizeof *node->ring);
    for (size_t i = 0; i < cycle->count; i++)
        node->ring[i] = classes->job->processes[classes->items[cycle->classes[i]].first].rank;
}

static void fill_nodes(struct merging *merging, const struct communicator_labels *labels, struct picture *picture)
{
    const struct classes *classes = merging->classes;
    for (enum picture_role role = 0; role < PICTURE_ROLE_COUNT; role++)
        for (size_t i = 0; i < classes->count; i++) {
            const struct picture_class *class = &classes->items[i];
            if (class->role != role)
                continue;
            merging->node_of[i] = place(merging, i, picture);
            struct picture_node *node = &picture->nodes[merging->node_of[i]];
            for (size_t j = 0; j < class->member_count; j++)
                add_member(merging, class->members[j], node);
            add_waits(&classes->standings[class->first], node);
        }
    for (size_t i = 0; i < merging->cycles->count; i++)
        fill_ring(merging, i, picture);
    for (size_t i = 0; i < picture->node_count; i++) {
        struct picture_node *node = &picture->nodes[i];
        ranks_finish(&node->ranks);
        finish_node(merging, labels, node);
    }
}

struct picture picture_make(const struct job *job, const struct analysis *analysis,
                            const struct communicator_labels *labels)
{
    struct classes classes = classes_make(job, analysis, labels);
    struct cycles cycles = cycles_find(&classes);
    struct merging merging = {.classes = &classes,
                              .cycles = &cycles,
                              .cycle_of = allocate((classes.count + 1) * sizeof *merging.cycle_of),
                              .by_cycle = allocate((cycles.count + 1) * sizeof *merging.by_cycle),
                              .stays = allocate((classes.count + 1) * sizeof *merging.stays),
                              .kept = allocate((classes.count + 1) * sizeof *merging.kept),
                              .node_of = allocate((classes.count + 1) * sizeof *merging.node_of),
                              .by_sort = allocate((classes.sort_count + 1) * sizeof *merging.by_sort)};
    struct picture picture = {.nodes = arena_allocate((classes.count + PICTURE_ROLE_COUNT) * sizeof *picture.nodes)};
    for (size_t i = 0; i < cycles.count; i++)
        for (size_t j = 0; j < cycles.items[i].count; j++)
            merging.cycle_of[cycles.items[i].classes[j]] = i + 1;
    if (classes.count - cycles.class_count + cycles.count <= MOST_PICTURE_NODES) {
        for (size_t i = 0; i < classes.count; i++)
            keep(&merging, i);
    } else {
        keep_culprits(&merging);
        keep_few_alike(&merging);
    }
    fill_nodes(&merging, labels, &picture);
    picture_find_links(&classes, merging.node_of, labels, &picture);
    free(merging.cycle_of);
    free(merging.by_cycle);
    free(merging.stays);
    free(merging.kept);
    free(merging.node_of);
    free(merging.by_sort);
    return picture;
}
