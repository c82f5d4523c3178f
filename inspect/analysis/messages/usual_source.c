/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds whose turn it is to send to a receive from any source, by the order of the sources before. Tags do not matter:
 * libraries number their messages by them.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

static const struct operation *next_like(const struct wanted_message *wanted, size_t *next)
{
    const struct operations *completed = &wanted->communicator->completed;
    while (*next < completed->count) {
        const struct operation *receive = &completed->items[(*next)++];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) != 0 && receive->actual_world >= 0 &&
            receive->details->site_address == wanted->site_address)
            return receive;
    }
    return NULL;
}

const struct operation *usual_source_find(const struct wanted_message *wanted)
{
    const struct operation *last = NULL, *before = NULL, *usual = NULL;
    size_t next = 0;
    if (wanted->site_address == 0)
        return NULL;
    for (const struct operation *receive = next_like(wanted, &next); receive != NULL;
         receive = next_like(wanted, &next))
        last = receive;
    if (last == NULL)
        return NULL;
    next = 0;
    for (const struct operation *receive = next_like(wanted, &next); receive != NULL;
         receive = next_like(wanted, &next)) {
        if (before != NULL && before->actual_world == last->actual_world) {
            if (usual != NULL && usual->actual_world != receive->actual_world)
                return NULL;
            usual = receive;
        }
        before = receive;
    }
    return usual;
}
