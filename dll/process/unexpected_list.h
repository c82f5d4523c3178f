/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The unexpected messages of a process, as far as they were worked out: plain data, whatever becomes of the processes
 * that it comes from.
 */
#ifndef MPILENS_DLL_PROCESS_UNEXPECTED_LIST_H
#define MPILENS_DLL_PROCESS_UNEXPECTED_LIST_H

#include "mpilens/extension.h"

#include <stdbool.h>

/* A message, or several of which only the number is known. */
struct unexpected_message {
    struct mpilens_unexpected_information information; /* but for what depends on the time of asking */
    uint64_t moment;                                   /* at which the sender was as it was read; 0: not known */
};

struct unexpected_list {
    struct unexpected_message *items; /* communicator by communicator, as the snapshot lists them */
    size_t *first;                    /* of each communicator, and the end; NULL: nothing was worked out */
    bool *is_known;                   /* of each communicator: whether anything can be said */
    uint64_t left_out;                /* processes that could not be read */
    uint64_t round;                   /* see shared_copy.h: when it was worked out */
    uint64_t version;                 /* of the known processes then */
};

void unexpected_list_free(struct unexpected_list *list);

/* What the iterator over those of one communicator delivers. */
struct listed_messages {
    struct unexpected_message *items;
    size_t count;
    size_t next;
    bool is_listing; /* these, not operations */
    uint64_t left_out;
};

/* Copies those of the communicator at this place. mqs_ok, MPILENS_ERROR_NO_MEMORY, or mqs_no_information. */
int listed_messages_begin(const struct unexpected_list *list, size_t communicator, struct listed_messages *ret_listed);
void listed_messages_free(struct listed_messages *listed);

#endif
