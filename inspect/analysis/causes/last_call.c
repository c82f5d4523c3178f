/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the call of a process that began last.
 */
#include "analysis/causes/causes.h"

#include "base/base.h"
#include "model/model.h"

static void look_at(struct last_call *last, struct last_call call)
{
    if (last->function == NULL || call.ticks > last->ticks)
        *last = call;
}

struct last_call last_call_find(const struct process *process)
{
    struct last_call last = {.function = NULL};
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        for (size_t j = 0; j < communicator->collective_call_count; j++) {
            const struct collective_call *call = &communicator->recent_collectives[j];
            look_at(&last, (struct last_call){call->function, call->site, call->entered, call->age_s});
        }
        for (size_t j = 0; j < communicator->completed.count; j++) {
            const struct operation *message = &communicator->completed.items[j];
            look_at(&last, (struct last_call){message->details->function, message->details->site, message->posted,
                                              message->age_s});
        }
    }
    return last;
}
