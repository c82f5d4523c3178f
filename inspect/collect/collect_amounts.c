/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads arrays of counts of collective calls, as far as the class of the call gives them a meaning.
 */
#include "collect/collect_internal.h"

#include "base/base.h"

#include <stdlib.h>

enum {
    MOST_PAIRS = 1 << 20, /* of one call, in all of its members together */
    PIECE = 1 << 10,      /* number of amounts asked of the DLL at once */
    NOT_SAID = -2,        /* of a neighbour that is no source, or no destination; -1: not known */
};

struct reader {
    const struct collection *collection;
    struct exchange *exchange;
    struct collective_call *call;
};

static void add(struct reader *reader, int peer, int64_t given, int64_t expected)
{
    struct collective_call *call = reader->call;
    if (peer < 0 || reader->exchange->amounts_left == 0)
        return;
    reader->exchange->amounts_left--;
    call->amounts = array_append(call->amounts, &call->amount_count, sizeof *call->amounts);
    call->amounts[call->amount_count - 1] = (struct collective_amount){peer, given, expected};
}

/* The givers and receivers; for an intercommunicator, the other side. */
static const struct group *peers_of(const struct communicator *communicator)
{
    return communicator->intercommunicator ? communicator->remote_group : communicator->group;
}

static size_t peer_count(const struct communicator *communicator)
{
    return (size_t)(communicator->intercommunicator ? communicator->remote_size : communicator->size);
}

/* Bytes of the `count` elements from `first` that the call gives or expects; -1 where that is not known. False: of
 * none it is. */
static bool read_bytes(const struct reader *reader, bool is_expected, size_t first, size_t count, int64_t *ret_bytes)
{
    if (reader->collection->dll->mpilens_get_collective_amounts(reader->collection->handle, is_expected, first, count,
                                                                ret_bytes) == mqs_ok)
        return true;
    for (size_t i = 0; i < count; i++)
        ret_bytes[i] = -1;
    return false;
}

static int64_t read_own(const struct reader *reader, bool is_expected)
{
    int64_t bytes;
    read_bytes(reader, is_expected, (size_t)reader->exchange->communicator->rank, 1, &bytes);
    return bytes;
}

/* The bytes to and from each of the others, if each gets one block (-1: not known). Otherwise arrays have the
 * amounts. */
struct blocks {
    int64_t given, expected;
    bool is_given_known, is_expected_known; /* whether it is one block */
};

/* Members of a part of the communicator, by their ranks in it. */
static void add_piece(struct reader *reader, const struct blocks *blocks, size_t first, size_t count)
{
    const struct communicator *communicator = reader->exchange->communicator;
    int64_t given[PIECE], expected[PIECE];
    const bool has_expected = read_bytes(reader, true, first, count, expected);
    if (!read_bytes(reader, false, first, count, given) && has_expected && !blocks->is_given_known)
        for (size_t i = 0; i < count; i++)
            given[i] = expected[i]; /* in place, or what is scattered among all */
    for (size_t i = 0; i < count; i++)
        add(reader, group_world_rank(peers_of(communicator), (int32_t)(first + i)),
            blocks->is_given_known ? blocks->given : given[i],
            blocks->is_expected_known ? blocks->expected : expected[i]);
}

/* The next ranks on both sides, of so many members in all as that is asked of. */
static void add_members(struct reader *reader, const struct blocks *blocks, size_t askers)
{
    const struct communicator *communicator = reader->exchange->communicator;
    const size_t size = peer_count(communicator), rank = (size_t)communicator->rank;
    const size_t reach = MOST_PAIRS / askers / 2;
    const bool has_all = 2 * reach + 1 >= size;
    if (!has_all && communicator->intercommunicator)
        return; /* which are next to each other on the two sides? */
    size_t left = has_all ? size : 2 * reach + 1;
    for (size_t first = has_all ? 0 : (rank + size - reach) % size; left > 0;) {
        size_t count = left < PIECE ? left : PIECE;
        count = count < size - first ? count : size - first;
        add_piece(reader, blocks, first, count);
        first = (first + count) % size;
        left -= count;
    }
}

static void add_one_by_one(struct reader *reader, const struct neighbours *neighbours, bool is_expected,
                           const struct blocks *blocks)
{
    for (size_t first = 0; first < neighbours->count; first += PIECE) {
        int64_t bytes[PIECE];
        const size_t count = neighbours->count - first < PIECE ? neighbours->count - first : PIECE;
        const bool is_known = read_bytes(reader, is_expected, first, count, bytes);
        for (size_t i = 0; i < count; i++) {
            const int64_t amount = is_known ? bytes[i] : !is_expected && blocks->is_given_known ? blocks->given : -1;
            add(reader, neighbours->ranks[first + i], is_expected ? NOT_SAID : amount, is_expected ? amount : NOT_SAID);
        }
    }
}

static int compare_amounts(const void *left_amount, const void *right_amount)
{
    const struct collective_amount *left = left_amount, *right = right_amount;
    return left->peer_world < right->peer_world ? -1 : left->peer_world > right->peer_world;
}

/* A process that is a neighbour twice gives and gets both. */
static int64_t add_bytes(int64_t one, int64_t other)
{
    int64_t sum;
    if (one == NOT_SAID || other == NOT_SAID)
        return one == NOT_SAID ? other : one;
    return one < 0 || other < 0 || __builtin_add_overflow(one, other, &sum) ? -1 : sum;
}

static int64_t none_if_not_said(int64_t bytes)
{
    return bytes == NOT_SAID ? -1 : bytes;
}

static void join_equal_peers(struct collective_call *call)
{
    size_t kept = 0;
    if (call->amount_count == 0)
        return;
    qsort(call->amounts, call->amount_count, sizeof *call->amounts, compare_amounts);
    for (size_t i = 1; i < call->amount_count; i++) {
        struct collective_amount *last = &call->amounts[kept];
        const struct collective_amount *next = &call->amounts[i];
        if (next->peer_world == last->peer_world) {
            last->given = add_bytes(last->given, next->given);
            last->expected = add_bytes(last->expected, next->expected);
        } else {
            call->amounts[++kept] = *next;
        }
    }
    call->amount_count = kept + 1;
    for (size_t i = 0; i < call->amount_count; i++) {
        call->amounts[i].given = none_if_not_said(call->amounts[i].given);
        call->amounts[i].expected = none_if_not_said(call->amounts[i].expected);
    }
}

static void add_rooted(struct reader *reader, bool root_gives)
{
    const struct communicator *communicator = reader->exchange->communicator;
    const struct collective_call *call = reader->call;
    if (!call->has_root || call->root < 0)
        return;
    if (call->root == communicator->rank)
        add_members(reader,
                    &(struct blocks){
                        .given = -1, .expected = -1, .is_given_known = !root_gives, .is_expected_known = root_gives},
                    1);
    else
        add(reader, group_world_rank(communicator->group, call->root), root_gives ? -1 : call->bytes,
            root_gives ? call->bytes : -1);
}

/* In place, there is no count: the data to give is part of the expected data. */
static int64_t find_block(const struct reader *reader)
{
    return reader->call->count >= 0 ? reader->call->bytes : read_own(reader, true);
}

static void add_by_class(struct reader *reader)
{
    const struct collective_call *call = reader->call;
    const struct exchange *exchange = reader->exchange;
    const size_t size = (size_t)exchange->communicator->size + (size_t)exchange->communicator->remote_size;
    switch (call->collective_class) {
    case MPILENS_COLLECTIVE_GATHERV:
        add_rooted(reader, false);
        break;
    case MPILENS_COLLECTIVE_SCATTERV:
        add_rooted(reader, true);
        break;
    case MPILENS_COLLECTIVE_ALLGATHERV:
        add_members(reader, &(struct blocks){.given = find_block(reader), .is_given_known = true}, size);
        break;
    case MPILENS_COLLECTIVE_ALLTOALLV:
    case MPILENS_COLLECTIVE_ALLTOALLW:
        add_members(reader, &(struct blocks){.given = -1}, size);
        break;
    case MPILENS_COLLECTIVE_REDUCE_SCATTER:
        add_members(reader, &(struct blocks){.expected = read_own(reader, true), .is_expected_known = true}, size);
        break;
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHERV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW: {
        const struct blocks blocks = {
            .given = call->bytes, .is_given_known = call->collective_class == MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHERV};
        add_one_by_one(reader, &exchange->destinations, false, &blocks);
        add_one_by_one(reader, &exchange->sources, true, &blocks);
        break;
    }
    default:
        break;
    }
}

/* Between the two sides of an intercommunicator. Of a root, the processes of its own side do not know who it is. */
static bool is_known_across(const struct collective_call *call)
{
    return call->collective_class == MPILENS_COLLECTIVE_ALLGATHERV ||
           call->collective_class == MPILENS_COLLECTIVE_ALLTOALLV ||
           call->collective_class == MPILENS_COLLECTIVE_ALLTOALLW;
}

void collect_amounts(const struct collection *collection, struct exchange *exchange, struct collective_call *call)
{
    const struct communicator *communicator = exchange->communicator;
    if (peers_of(communicator) == NULL || communicator->rank < 0 || communicator->rank >= communicator->size ||
        (communicator->intercommunicator && !is_known_across(call)))
        return;
    add_by_class(&(struct reader){collection, exchange, call});
    join_equal_peers(call);
}
