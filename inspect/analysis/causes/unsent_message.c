/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds messages that ranks wait for and that were not sent, by the messages sent before.
 */
#include "analysis/causes/causes.h"

#include "analysis/messages/messages.h"
#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>

/* The last message to that rank on the communicator; NULL: none is known. */
static const struct operation *find_last_to(const struct communicator *communicator, int32_t peer)
{
    for (size_t i = communicator->completed.count; i > 0; i--) {
        const struct operation *send = &communicator->completed.items[i - 1];
        if ((send->flags & MPILENS_OPERATION_SEND) != 0 && send->peer_world == peer)
            return send;
    }
    return NULL;
}

/* `before`: one that was sent; NULL: none is known. */
static const char *describe_left_out(int sender, int receiver, int64_t missing, const struct operation *before)
{
    const char *at = before != NULL ? describe_at(before->details->site) : "";
    return arena_text("have rank %d send rank %d the %" PRId64 " message%s that it left out%s%s%s", sender, receiver,
                      missing, missing == 1 ? "" : "s", before != NULL ? ": the others were sent with " : "",
                      before != NULL ? before->details->function : "", at);
}

const char *advise_on_left_out_message(const struct message_end *before)
{
    return describe_left_out(before->process->rank, before->operation->peer_world, 1, before->operation);
}

/* Advises on a rank that has answered less often than others like it; NULL: none has. */
static const char *advise_on_odd(const struct waits *waits, const struct cause *cause)
{
    struct odd_ones ones = odd_ones_find(waits, cause);
    const struct odd_one *odd = ones.count > 0 ? &ones.items[0] : NULL;
    if (odd == NULL || odd->thing != ODD_ANSWERS || odd->value <= odd->usual)
        return NULL;
    const int64_t missing = odd->value - odd->usual;
    const struct operation *before = find_last_to(odd->communicator, odd->peer);
    return describe_left_out(odd->process->rank, odd->peer, missing, before);
}

/* "rank 0 to rank 3 (as to rank 2 with MPI_Send at a.c:20)". False: none like it was sent before. */
static bool write_unsent(FILE *stream, const struct waits *waits, const struct wanted_message *wanted)
{
    const struct earlier_message earlier = sent_before_find_like(&waits->index, wanted);
    if (earlier.send == NULL || wanted->peer_world < 0)
        return false;
    const char *at = describe_at(earlier.send->details->site);
    fprintf(stream, "from rank %d to rank %d (", wanted->peer_world, wanted->receiver->rank);
    if (earlier.sender->rank != wanted->peer_world)
        fprintf(stream, "like the one from rank %d", earlier.sender->rank);
    else if (earlier.send->peer_world != wanted->receiver->rank)
        fprintf(stream, "like the one to rank %d", earlier.send->peer_world);
    else
        fputs("as before", stream);
    fprintf(stream, " with %s%s)", earlier.send->details->function, at);
    return true;
}

/* The missing message of each rank in a cycle; NULL: one of them has no earlier such message, or there are too many
 * ranks. */
static const char *list_unsent(const struct waits *waits, const struct cause *cause)
{
    enum { MOST_LISTED = 3 };
    size_t listed = 0;
    FILE *stream = arena_open();
    bool all = true;
    for (size_t i = 0; i < cause->node_count && all; i++) {
        struct wanted_message wanted;
        if (!cause_find_wanted(waits, cause->nodes[i], &wanted))
            continue;
        fputs(listed > 0 ? "; " : "", stream);
        all = listed++ < MOST_LISTED && write_unsent(stream, waits, &wanted);
    }
    const char *list = arena_close(stream);
    if (all && listed > 0)
        return list;
    return NULL;
}

const char *advise_on_unsent_message(const struct waits *waits, const struct cause *cause)
{
    const char *odd = advise_on_odd(waits, cause);
    const char *list = odd == NULL ? list_unsent(waits, cause) : NULL;
    if (list == NULL)
        return odd;
    return arena_text("one of these messages was left out, or is sent too late: %s", list);
}
