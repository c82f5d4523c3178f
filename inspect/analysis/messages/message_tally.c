/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts the messages that a rank has sent and received with one tag.
 */
#include "analysis/messages/messages.h"

static void count(const struct operations *operations, int32_t tag, struct message_tally *tally)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *operation = &operations->items[i];
        tally->sent += (operation->flags & MPILENS_OPERATION_SEND) != 0 && operation->tag == tag;
        tally->received += (operation->flags & MPILENS_OPERATION_RECEIVE) != 0 &&
                           operation->status == mqs_st_complete && operation->actual_tag == tag;
    }
}

struct message_tally message_tally_of(const struct communicator *communicator, int32_t tag)
{
    struct message_tally tally = {.sent = 0};
    count(&communicator->completed, tag, &tally);
    count(&communicator->sends, tag, &tally);
    return tally;
}
