/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the call in which a process has exited, or after which.
 */
#include "analysis/causes/causes.h"

#include "base/base.h"
#include "model/model.h"

/* The call of the process that began last, as far as known; `function` NULL: none is. */
struct last_call {
    const char *function;
    const struct site *site;
    uint64_t ticks;
};

static void look_at(struct last_call *last, const char *function, const struct site *site, uint64_t ticks)
{
    if (last->function == NULL || ticks > last->ticks)
        *last = (struct last_call){.function = function, .site = site, .ticks = ticks};
}

static struct last_call find_last_call(const struct process *process)
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

const char *describe_last_call(const struct process *process)
{
    const struct last_call last = find_last_call(process);
    return last.function != NULL ? arena_text(", after %s%s", last.function, describe_at(last.site)) : "";
}

const char *describe_exit_place(const struct process *process)
{
    const struct thread *call = find_current_call(process);
    return call != NULL ? arena_text(" in %s%s", call->function, describe_at(call->site)) : describe_last_call(process);
}
