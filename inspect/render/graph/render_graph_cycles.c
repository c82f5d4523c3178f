/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds rings of ranks in the graph.
 */
#include "render/graph/render_graph_internal.h"

#include "analysis/graph/graph.h"
#include "base/base.h"

#include <stdlib.h>

/* The class that a class waits for, and that does the same; the count of classes: there is none such. */
static size_t next_class(const struct classes *classes, size_t class)
{
    const struct picture_class *self = &classes->items[class];
    const struct standing *standing = &classes->standings[self->first];
    const struct ranks *targets = standing->wait_count == 1 ? standing->waits[0].targets : NULL;
    if (self->member_count != 1 || targets == NULL || targets->count != 1)
        return classes->count;
    const size_t number = process_number(classes->job, targets->items[0]);
    const size_t next = number < classes->job->process_count ? classes->standings[number].class : classes->count;
    const bool is_alike =
        next < classes->count && classes->items[next].sort == self->sort && classes->items[next].member_count == 1;
    return is_alike ? next : classes->count;
}

/* The ring that the class is one of. */
static void add_cycle(const struct classes *classes, size_t class, struct cycles *cycles)
{
    struct cycle cycle = {.count = 0};
    size_t first = class;
    for (size_t at = next_class(classes, class); at != class; at = next_class(classes, at))
        first = at < first ? at : first; /* the class of the lowest rank */
    size_t at = first;
    do {
        cycle.classes = arena_append(cycle.classes, &cycle.count, sizeof *cycle.classes);
        cycle.classes[cycle.count - 1] = at;
        at = next_class(classes, at);
    } while (at != first);
    if (cycle.count < LEAST_IN_RING)
        return;
    cycles->items = arena_append(cycles->items, &cycles->count, sizeof *cycles->items);
    cycles->items[cycles->count - 1] = cycle;
    cycles->class_count += cycle.count;
}

struct cycles cycles_find(const struct classes *classes)
{
    struct cycles cycles = {.count = 0};
    size_t *walks = allocate((classes->count + 1) * sizeof *walks); /* 1 + where the walk over a class began */
    for (size_t i = 0; i < classes->count && cycles.count < MOST_RINGS; i++) {
        size_t at = i;
        for (; at < classes->count && walks[at] == 0; at = next_class(classes, at))
            walks[at] = i + 1;
        if (at < classes->count && walks[at] == i + 1)
            add_cycle(classes, at, &cycles);
    }
    free(walks);
    return cycles;
}
