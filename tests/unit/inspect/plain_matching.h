/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rules of unexpected.c and matching.h once more, without regard to time: every member is compared with every other
 * one, every receive with every message, and every way in which receives from any source can turn out is gone through.
 */
#ifndef TESTS_PLAIN_MATCHING_H
#define TESTS_PLAIN_MATCHING_H

#include "model/model.h"

/* The message that a receive takes of those under way to its process. */
struct plain_take {
    struct operation *receive; /* NULL: a matched probe */
    int32_t rank;              /* of the sender, by the best guess; -1: nothing */
    uint64_t serial;           /* of the send, 0: nothing */
    bool has_other;            /* there is a way in which it takes something else, or nothing */
};

/* A member of a communicator. */
struct plain_member {
    const struct process *process;
    struct communicator *communicator;
};

/* A message under way. */
struct plain_message {
    struct operation *send;
    struct plain_member sender;
    uint64_t serial; /* of the receive that takes it by the best guess, 0: none, or a matched probe */
    bool is_taken;
    bool has_other; /* there is a way in which something else takes it, or nothing */
};

/* The messages under way to one member of a communicator. */
struct plain_result {
    struct plain_member receiver;
    struct plain_message *messages; /* by sender, then as sent */
    size_t message_count;
    struct plain_take *takes;
    size_t take_count;
    uint64_t unknown;
    uint64_t ways; /* in which it can turn out; 0: too many to go through them, has_other is not known */
};

/* One for each communicator of each process of the job. The caller frees them. */
struct plain_result *match_plainly(const struct job *job, size_t *ret_count);
void plain_results_free(struct plain_result *results, size_t count);

#endif
