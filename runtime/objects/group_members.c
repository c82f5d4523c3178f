/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Group_translate_ranks costs the product of the sizes of both groups in some libraries. There, the next members
 * are guessed, and looked for in a small group that is made of the guesses.
 */
#include "objects/objects_internal.h"

#include "mpi/functions.h"

enum {
    ASKED = 16,   /* members at a time: more are dearer to look for, fewer need more small groups */
    LARGEST = 512 /* group of guesses, and members in order */
};

struct search {
    MPI_Group group;
    MPI_Group world;
    int size;
    int world_size;
    int *world_ranks; /* of the first members, up to `place` */
    int place;
    int run;      /* members that were found together the last time: about as many will be again */
    bool ascends; /* as far as is known */
};

static bool ask(MPI_Group group, int count, const int *members, MPI_Group world, int *ret_world_ranks)
{
    if (mpilens__asked.MPI_Group_translate_ranks(group, count, members, world, ret_world_ranks) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < count; i++)
        if (ret_world_ranks[i] == MPI_UNDEFINED)
            ret_world_ranks[i] = -1;
    return true;
}

/* Looks for the next members, at most `most`, among `count` world ranks. Returns how many are there one after the
 * other. */
static int look_among(struct search *search, int most, const int *guesses, int count)
{
    int members[ASKED];
    int found[ASKED];
    MPI_Group part;
    for (int i = 0; i < most; i++)
        members[i] = search->place + i;
    if (count == 0 || mpilens__asked.MPI_Group_incl(search->world, count, guesses, &part) != MPI_SUCCESS)
        return 0;
    int known = 0;
    if (ask(search->group, most, members, part, found))
        for (; known < most && found[known] >= 0; known++)
            search->world_ranks[search->place + known] = guesses[found[known]];
    mpilens__asked.MPI_Group_free(&part);
    return known;
}

static int last_rank(const struct search *search)
{
    return search->place > 0 ? search->world_ranks[search->place - 1] : -1;
}

/* Between the last ones, where it was the same twice; else 1. */
static int distance(const struct search *search)
{
    const int *end = search->world_ranks + search->place;
    const bool is_regular = search->place > 2 && end[-1] - end[-2] == end[-2] - end[-3] && end[-1] != end[-2];
    return is_regular ? end[-1] - end[-2] : 1;
}

/* They may go on as they did so far. Returns how many do. */
static int guess_next(struct search *search)
{
    int guesses[ASKED];
    int count = 0;
    const int left = search->size - search->place;
    const int wanted = 2 * search->run + 1 < ASKED ? 2 * search->run + 1 : ASKED;
    const int stride = distance(search);
    int rank = last_rank(search) + stride;
    for (; count < ASKED && rank >= 0 && rank < search->world_size; rank += stride)
        guesses[count++] = rank;
    search->run = look_among(search, left < wanted ? left : wanted, guesses, count);
    return search->run;
}

/* Looks for the next member behind the last one, farther and farther. False: it is not there. */
static bool look_ahead(struct search *search)
{
    int guesses[LARGEST];
    int first = last_rank(search) + 1;
    for (int width = ASKED; first < search->world_size; width = 2 * width < LARGEST ? 2 * width : LARGEST) {
        int count = 0;
        for (; count < width && first < search->world_size; first++)
            guesses[count++] = first;
        if (look_among(search, 1, guesses, count) == 1)
            return true;
    }
    return false;
}

static bool look_everywhere(struct search *search)
{
    search->ascends = search->ascends && look_ahead(search);
    return search->ascends || ask(search->group, 1, &search->place, search->world, &search->world_ranks[search->place]);
}

static bool search_members(struct search *search)
{
    if (mpilens__asked.MPI_Group_size(search->world, &search->world_size) != MPI_SUCCESS)
        return false;
    while (search->place < search->size) {
        const int known = guess_next(search);
        if (known == 0 && !look_everywhere(search))
            return false;
        search->place += known > 0 ? known : 1;
    }
    return true;
}

static bool ask_in_order(MPI_Group group, int size, MPI_Group world, int *ret_world_ranks)
{
    int members[LARGEST];
    bool known = true;
    for (int first = 0; known && first < size; first += LARGEST) {
        int count = 0;
        for (; count < LARGEST && first + count < size; count++)
            members[count] = first + count;
        known = ask(group, count, members, world, ret_world_ranks + first);
    }
    return known;
}

bool group_members_ask(MPI_Group group, int size, MPI_Group world, int *ret_world_ranks)
{
    if (TRANSLATES_BY_SEARCH && size > ASKED) {
        struct search search = {.group = group,
                                .world = world,
                                .size = size,
                                .world_ranks = ret_world_ranks,
                                .run = ASKED,
                                .ascends = true};
        return search_members(&search);
    }
    return ask_in_order(group, size, world, ret_world_ranks);
}
