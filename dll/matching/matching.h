/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of the messages under way to a member its receives take, one receive after the other, by MPI's rules (MPI 4.0,
 * 3.5): a receive takes the first message of a sender that it accepts. Of several senders, which one is not determined:
 * the first in the order of under_way_sort() is the best guess. What a receive takes or leaves over then depends on
 * that guess, and is only possible, as long as it accepts one of the messages that may be another receive's.
 */
#ifndef MPILENS_DLL_MATCHING_MATCHING_H
#define MPILENS_DLL_MATCHING_MATCHING_H

#include "matching/under_way.h"

enum message_state {
    MESSAGE_FREE,
    MESSAGE_TAKEN_POSSIBLY, /* as far as the guess is right */
    MESSAGE_TAKEN,
};

/* How a set of messages is divided into those that one kind of receive accepts. */
enum division_kind {
    DIVISION_ALL,           /* any source, any tag */
    DIVISION_BY_TAG,        /* any source */
    DIVISION_BY_SENDER,     /* any tag */
    DIVISION_BY_SENDER_TAG, /* neither */
    DIVISION_COUNT,
};

/* The messages that one receive accepts, as a part of an order. */
struct selection {
    size_t first, end;
    size_t next_free; /* all before it are taken, at least possibly */
    size_t next_left; /* all before it are taken */
    size_t left;      /* messages of one sender that are not taken; of any sender: senders that have such messages */
    bool is_contested;
};

struct division {
    uint32_t *order;        /* messages: selection after selection, in each in the order in which they are taken */
    uint32_t *selection_of; /* of each message */
    struct selection *selections;
    size_t selection_count;
};

struct matching {
    const struct under_way *messages;
    enum message_state *states; /* of each message */
    struct division divisions[DIVISION_COUNT];
};

#define NO_MESSAGE SIZE_MAX

/* In O(n log n), of at most UINT32_MAX messages, in matching order (under_way_sort). `messages` stays the caller's;
 * matching_clear() frees the rest. mqs_ok or MPILENS_ERROR_NO_MEMORY; there is nothing to free then. */
int matching_begin(const struct under_way *messages, struct matching *ret_matching);
/* The message that the next receive takes, NO_MESSAGE: none. *ret_is_possible: it may be another one, or none, or where
 * it is none, there may be one. O(log n), but for messages that are never looked at again. */
size_t matching_take(struct matching *matching, const struct want *want, bool *ret_is_possible);
/* Whether a receive may have taken the message instead of another one, or the other way round. */
bool matching_is_contested(const struct matching *matching, size_t message);
void matching_clear(struct matching *matching);

#endif
