/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Caches the collective calls that have been examined.
 */
#include "analysis/graph/graph.h"

#include "base/base.h"

#include <search.h>
#include <stdlib.h>

struct known_rounds {
    struct arena_node *entries; /* struct round_entry */
    double patience_s;
};

struct round_entry {
    uint64_t id, serial;
    uint32_t kind; /* of the window or file, 0: of a communicator */
    struct known_round known;
};

static int compare_entries(const void *left_entry, const void *right_entry)
{
    const struct round_entry *left = left_entry;
    const struct round_entry *right = right_entry;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return left->serial < right->serial ? -1 : left->serial > right->serial;
}

struct known_rounds *known_rounds_create(double patience_s)
{
    struct known_rounds *rounds = arena_allocate(sizeof *rounds);
    rounds->patience_s = patience_s;
    return rounds;
}

struct known_round *known_round_find(struct known_rounds *rounds, const struct job_index *index,
                                     const struct job_member *one, uint64_t serial)
{
    const struct arena_mark mark = arena_mark();
    struct round_entry *wanted = arena_allocate(sizeof *wanted);
    *wanted = (struct round_entry){.id = one->object != NULL ? shared_object_id(one->object) : one->communicator->id,
                                   .serial = serial,
                                   .kind = one->object != NULL ? one->object->kind : 0,
                                   .known.last_node = NO_NODE};
    struct round_entry *found = arena_search(wanted, &rounds->entries, compare_entries);
    if (found != wanted) {
        arena_release(mark);
        return &found->known;
    }
    found->known.round = collective_round_find(index, one, serial);
    found->known.unequal = round_amounts_compare(&found->known.round, rounds->patience_s);
    const struct job_members *members = &found->known.round.members;
    for (size_t i = 0; i < members->count; i++)
        found->known.begun_count += collective_round_has_begun(&members->items[i], serial);
    return &found->known;
}
