/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For plain_matching.c: which messages are under way, by comparing everything with everything.
 */
#ifndef TESTS_PLAIN_UNDER_WAY_H
#define TESTS_PLAIN_UNDER_WAY_H

#include "plain_matching.h"

/* Whether the receive still waits for a message. */
bool plainly_awaits(const struct operation *receive);
/* Whether a receive of `receiver` accepts a message of `sender`. */
bool plainly_accepts(struct plain_member receiver, const struct operation *receive, struct plain_member sender,
                     int32_t tag);
/* Appends the messages that are under way from one to the other. */
void plain_find_messages(struct plain_member sender, struct plain_member receiver, struct plain_result *result);

#endif
