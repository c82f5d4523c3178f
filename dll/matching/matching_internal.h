/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of matching/ only.
 */
#ifndef MPILENS_DLL_MATCHING_MATCHING_INTERNAL_H
#define MPILENS_DLL_MATCHING_MATCHING_INTERNAL_H

#include "matching/matching.h"
#include "mpilens/extension.h"
#include "target/target.h"

#include <stdbool.h>

/* -- matching_members.c --
 * The processes of a job that are members of one communicator, and which of them an operation names.
 */

/* Members of one communicator by world rank; below, members are named by their place here. */
struct members {
    struct mpilens_matching_member **items;
    size_t count;
    struct sort_entry *by_local; /* `major`: signed_key of the rank in the communicator; `minor`: place */
};

/* The n-th send, receive or completed operation of a member. */
static inline struct mpilens_matched_operation *
operation_of(const struct mpilens_matching_member *member, struct mpilens_matched_operation *operations, size_t number)
{
    return (struct mpilens_matched_operation *)(void *)((char *)operations + number * member->operation_bytes);
}

#define NO_MEMBER SIZE_MAX

/* Makes room for `limit` members of a communicator. mqs_ok or MPILENS_ERROR_NO_MEMORY; members_clear() frees it. */
int members_begin(struct members *members, size_t limit);
/* The items were set, in the order of world ranks. The same. */
int members_settle(struct members *members);
void members_clear(struct members *members);

/* Orders tags and ranks as numbers without sign. */
uint64_t signed_key(int32_t value);

/* The peer of an operation or channel of the member `of`; NO_MEMBER: any source, not known, or not read. O(log n). */
size_t find_peer_member(const struct members *members, size_t of, int32_t peer_local, int32_t peer_world);

/* -- flows.c -- The messages between members of a communicator: a flow for each sender and receiver, with everything
 * that the two remember of it.
 */

struct flow {
    size_t sender;
    size_t receiver;
    struct mpilens_message_count *channel; /* of the sender */
    uint64_t sent;                         /* counted, whether they are remembered or not */
    uint64_t received;
    uint64_t partitioned_sent; /* of those, as far as remembered */
    uint64_t partitioned_received;
    double ages_delay_s;                      /* of the sender */
    uint64_t taken;                           /* by the receiver's runtime out of MPI, and not received since */
    struct mpilens_matched_operation **sends; /* pending, complete or over, in the order of posting; not partitioned,
                                               * not cancelled */
    uint64_t send_count;
    struct mpilens_matched_operation *
        *receives; /* completed, not partitioned, not cancelled; by tag and then in the order of posting */
    uint64_t receive_count;
};

struct flows {
    struct flow *items; /* by receiver, then by sender */
    size_t count;
    size_t *first_flow;                       /* of each receiver, and the end: as many as there are members, and one */
    struct mpilens_matched_operation **sends; /* of all flows, each flow's adjacent */
    struct mpilens_matched_operation **receives;
};

/* In O(n log n) of channels and remembered operations. mqs_ok or MPILENS_ERROR_NO_MEMORY; flows_clear() frees it, also
 * then. */
int find_flows(const struct members *members, struct flows *ret_flows);
void flows_clear(struct flows *flows);

/* `from` minus `number`, at least 0: counts of running processes need not agree. */
static inline uint64_t subtract(uint64_t from, uint64_t number)
{
    return from > number ? from - number : 0;
}

/* How many messages were sent and not received. Channels count partitioned messages, which match only each other and
 * are never unexpected. */
uint64_t flow_under_way(const struct flow *flow);

/* NULL: there is none. Either may be NO_MEMBER. O(log n). */
struct flow *find_flow(const struct flows *flows, size_t receiver, size_t sender);

/* -- wants.c --
 * Which messages receives accept.
 */

/* The messages that one receive accepts. */
struct want {
    size_t source; /* member, or ANY_MEMBER; NO_MEMBER: a message of nobody */
    bool any_tag;
    int32_t tag; /* 0 where any_tag */
};

#define ANY_MEMBER (SIZE_MAX - 1)

/* The messages that the pending receives of one member accept, sorted. */
struct wants {
    bool is_made;
    struct sort_entry *items; /* `major`: source; `middle`: 1 where the tag is `minor`, by signed_key */
    size_t count;
};

struct want want_of(const struct members *members, size_t receiver, const struct mpilens_matched_operation *receive);
/* The message that the receive got, if known; else as want_of. */
struct want want_of_complete(const struct members *members, size_t receiver,
                             const struct mpilens_matched_operation *receive);
/* Whether the receive is still to take a message. */
bool awaits_message(const struct mpilens_matched_operation *receive);

/* Whether a pending receive of `receiver` accepts messages of `sender` with the tag. Makes `wants`, which begin as zero
 * and which wants_clear() frees, at the first question. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int is_wanted(struct wants *wants, const struct members *members, size_t receiver, size_t sender, int32_t tag,
              bool *ret_is_wanted);
void wants_clear(struct wants *wants);

/* -- under_way.c --
 * Finds the messages under way from one member of a communicator to another.
 */

struct message {
    size_t sender; /* member */
    struct mpilens_matched_operation *send;
    double age_s;     /* of the send; the ages of all messages end at the same time */
    int32_t tag;      /* of the send */
    bool is_doubtful; /* it may have been received, or a receive that is not recorded may take it */
};

/* Messages under way to one member, but for those that its runtime has taken out of MPI. */
struct under_way {
    struct message *items; /* with room for all sends of its flows */
    size_t count;
    uint64_t unknown; /* messages of which only the number is known; channels have the number per sender */
};

/* Appends the messages under way in the flow. Marks the other sends as received, with their receives if both sides
 * remember all. If a side has lost records, appends only its pending sends, as doubtful, and marks nothing: the rest
 * may have been received or not. `wants` belongs to the flow's receiver. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int find_under_way(const struct members *members, const struct flow *flow, struct wants *wants,
                   struct under_way *under_way);

/* Puts the messages into the order in which MPI matches them: of one sender in that in which they were sent, as they
 * stand; of several senders by age, as which one came first is nowhere noted. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int under_way_sort(struct under_way *under_way);

/* Puts the sorted messages into the order in which later receives of any source take them where the receiver's MPI
 * looks for them in turn (layout.def, process.senders_in_turn). The same. */
int under_way_put_in_turn(const struct members *members, size_t receiver, struct under_way *under_way);

/* -- matching.c -- Gives the messages under way to a member to its receives, one receive after the other, by MPI's
 * rules (MPI 4.0, 3.5): a receive takes the first message of a sender that it accepts. MPI does not determine the
 * sender if there are several; the first in the order of under_way_sort() is the best guess. Matches that depend on
 * such a guess are only possible, not certain.
 */

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

/* -- match_taken.c --
 * Finds the sends of messages that the receiver's runtime has taken out of MPI.
 */

/* Sets `unexpected_at` and `unexpected_place` of the sends, and counts all taken messages in their flows, even if the
 * sender does not remember them. `all`: start of the array of members.
 *
 * Receives of one tag get its first messages, and the runtime takes the rest in the order of the sends. So the last
 * sends of a tag were taken, except those sent after the receiver last asked MPI.
 *
 * O(n log n). mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int match_taken(const struct members *members, size_t receiver, const struct flows *flows,
                const struct mpilens_matching_member *all);

#endif
