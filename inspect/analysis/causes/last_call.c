/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the call of a process that began last.
 */
#include "analysis/causes/causes.h"

#include "base/base.h"
#include "model/model.h"

static void look_at(struct last_call *last, const char *function, const struct site *site, uint64_t ticks)
{
    if (last->function == NULL || ticks > last->ticks)
        *last = (struct last_call){.function = function, .site = site, .ticks = ticks};
}

struct last_call last_call_find(const struct process *process)
{
    struct last_call last = {.function = NULL};
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        for (size_t j = 0; j < communicator->collective_call_count; j++)
            look_at(&last, communicator->collectives[j].function, communicator->collectives[j].site,
                    communicator->collectives[j].entered);
        for (size_t j = 0; j < communicator->completed.count; j++) {
            const struct operation *message = &communicator->completed.items[j];
            look_at(&last, message->details->function, message->details->site, message->posted);
        }
    }
    return last;
}
