/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Part of extension.h: messages between the processes of a job, out of what was read of each.
 */
#ifndef MPILENS_EXTENSION_MATCHING_H
#define MPILENS_EXTENSION_MATCHING_H

#include "mpilens/message_queue.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The structs of this file do not grow: later facts get functions of their own.
 *
 * No member's place. */
#define MPILENS_NO_MEMBER UINT32_MAX

/* A send or receive as its process knows it (mpilens_get_operation, mpilens_next_completed), and the result of
 * matching it with other processes. */
struct mpilens_matched_operation {
    uint64_t serial;       /* unique in its process */
    uint64_t posted;       /* orders the operations of one process */
    double age_s;          /* messages of several senders are matched oldest first */
    uint64_t match_serial; /* filled: of the other one; 0: not known, or a matched probe */
    uint32_t flags;        /* MPILENS_OPERATION_* */
    int32_t status;        /* enum mqs_status */
    int32_t peer_local;    /* -1: any source */
    int32_t peer_world;    /* -1: any source or not known */
    int32_t tag;
    int32_t actual_local; /* of a receive that has its message; -1: not known */
    int32_t actual_world;
    int32_t actual_tag;

    /* Filled by mpilens_match_messages, as match_serial. */
    int32_t match_rank;        /* world rank of the process where the other one is, -1: none, or not known */
    uint32_t unexpected_at;    /* of a send: the place of the member for which the message is unexpected, or
                                  MPILENS_NO_MEMBER */
    uint32_t unexpected_place; /* among the unexpected messages of that member, from 0; below its taken_count: it is
                                  that one */

    /* 0 or 1. */
    uint8_t tag_wild;
    uint8_t match_is_possible; /* filled: several senders could match, so the match may be another one or none; if
                                  match_rank is -1, there may be one */
    uint8_t received;          /* filled, of a send: the message was received, whether the send is pending or not */
    uint8_t found_arrived;     /* filled, of a receive: 0 if its message was sent after it was posted */
};

/* A message that a matched probe has taken. */
struct mpilens_probed_message {
    int32_t peer_local;
    int32_t peer_world;
    int32_t tag;
    int32_t reserved;
};

/* A message that the process's runtime has taken out of MPI because nobody had asked for it. */
struct mpilens_taken_message {
    double age_s; /* since it was taken */
    int32_t peer_local;
    int32_t peer_world;
    int32_t tag;
    int32_t reserved;
};

/* Messages between the process and one peer on the communicator. */
struct mpilens_message_count {
    int32_t peer_local;
    int32_t peer_world;
    uint64_t sent;
    uint64_t received;

    /* Filled by mpilens_match_messages. */
    uint64_t unknown;    /* filled: of the sent messages, the number under way of which nothing else is known */
    uint32_t unknown_at; /* the place of the member to which, or MPILENS_NO_MEMBER */
    uint32_t reserved;
};

/* A process as a member of one communicator, with what it tells of it. Memory is the caller's. */
struct mpilens_matching_member {
    uint64_t communicator_id; /* equal at all members */
    uint64_t lost_records;    /* operations and objects of the process of which its runtime has no record */
    double ages_delay_s;      /* from the end of its ages to the end of the others' ages, if it ends earlier; else 0 */
    int32_t world_rank;
    int32_t local_rank;
    int32_t is_intercommunicator;
    uint16_t is_exact;                           /* the taken messages are all unexpected messages */
    uint16_t senders_in_turn;                    /* as struct mpilens_process_information says */
    struct mpilens_matched_operation *sends;     /* pending, or complete and not collected, in matching order */
    struct mpilens_matched_operation *receives;  /* the same */
    struct mpilens_matched_operation *completed; /* the flight recorder, oldest first */
    const struct mpilens_probed_message *probed; /* oldest first */
    const struct mpilens_taken_message *taken;   /* in the order of arrival */
    struct mpilens_message_count *channels;
    size_t
        operation_bytes; /* from one operation to the next: more than their size where something stands behind each */
    size_t send_count;
    size_t receive_count;
    size_t completed_count;
    size_t probed_count;
    size_t taken_count;
    size_t channel_count;

    /* Filled by mpilens_match_messages. */
    size_t unexpected_count;     /* those that were taken first; where is_exact, only these */
    uint64_t unexpected_unknown; /* filled: messages under way to here of which only the number is known */
};

/* Decides which sends and receives of one job match, and which messages are unexpected: sent, and neither received nor
 * taken by a receive that the receiver has posted. `members`: all members that were read, of all communicators, by
 * world rank; they may come from several hosts or from a file. No process is read.
 *
 * The number of messages under way from a sender to a receiver on a communicator is known: sends minus receives. Which
 * messages these are follows from the sends and receives that both remember and from MPI's rule that messages of one
 * sender with one tag are received in the order of their sends (MPI 4.0, 3.5). If the receiver does not remember
 * enough, messages that a waiting receive would take count as received before those that none wants, and older ones
 * before younger ones. Pending receives take messages under way in the order in which they were posted. The rest is
 * unexpected. Unexpected messages of a member are in matching order: messages of one sender in the order of their
 * sends, those from several senders by age (the order of arrival as far as the network keeps it), or in turn if the
 * receiver's MPI looks for them so. Taken messages come first; no receive takes them: they are the last sends of their
 * tag that are old enough.
 *
 * If the sender or the receiver has lost records, the counts are only lower bounds and completed sends say nothing: no
 * message between the two is treated as unexpected or received.
 *
 * O(n log n) in channels and operations. Returns mqs_ok, MPILENS_ERROR_NO_MEMORY or MPILENS_ERROR_NO_CALLBACKS; filled
 * members are undefined on errors. */
int mpilens_match_messages(struct mpilens_matching_member *members, size_t count);

#ifdef __cplusplus
}
#endif

#endif
