/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocking collective calls: counts per class and the last calls of every communicator.
 */
#ifndef MPILENS_RUNTIME_COLLECTIVE_H
#define MPILENS_RUNTIME_COLLECTIVE_H

#include "communicator.h"
#include "datatype.h"
#include "operation.h"

enum {
    RECENT_COLLECTIVES =
        sizeof(((struct mpilens_communicator *)0)->recent_collectives) / sizeof(struct mpilens_collective)
};

struct collective_arguments {
    uint64_t site;
    uint64_t buffer;
    int64_t count;
    uint64_t datatype; /* handle, where has_datatype */
    uint64_t op;
    uint64_t communicator;
    int32_t root;
    uint32_t function;
    uint32_t collective_class;
    bool has_root;
    bool has_datatype;
};

/* Returns the call's entry among the recent ones, or NULL where the communicator is not known. */
INLINE struct mpilens_collective *collective_begin(struct thread *thread, const struct collective_arguments arguments)
{
    struct mpilens_communicator *record = communicator_find_fast(thread, arguments.communicator);
    call_begin_other(thread, arguments.function, arguments.site, record);
    if (unlikely(!record))
        return NULL;
    struct mpilens_datatype *datatype =
        arguments.has_datatype ? datatype_find(thread, arguments.datatype, false) : NULL;
    uint64_t serial = ++record->collective_count;
    struct mpilens_collective *call = &record->recent_collectives[(serial - 1) % RECENT_COLLECTIVES];
    call->serial = 0;
    PUBLISH_BARRIER();
    call->entered = thread->published.entered;
    call->site = arguments.site;
    call->function = arguments.function;
    call->active = 1;
    call->root = arguments.root;
    call->has_root = arguments.has_root;
    call->count = arguments.count;
    call->datatype = (uint64_t)(uintptr_t)datatype;
    call->op = arguments.op;
    call->buffer = arguments.buffer;
    PUBLISH_BARRIER();
    call->serial = serial;
    struct mpilens_collective_state *state = &record->collective_states[arguments.collective_class];
    state->count++;
    state->active++;
    return call;
}

INLINE void collective_end(struct thread *thread, struct mpilens_collective *call, uint32_t collective_class)
{
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    if (likely(call != NULL)) {
        call->active = 0;
        record->collective_states[collective_class].active--;
    }
    call_end(thread);
}

/* The thread's current call, if it is a collective one, will never end normally. */
static inline void collective_abandon(struct thread *thread)
{
    const struct mpilens_function *function = &mpilens__functions[thread->published.function];
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    if (function->call_class != MPILENS_CALL_COLLECTIVE || !record)
        return;
    for (size_t i = 0; i < RECENT_COLLECTIVES; i++)
        if (record->recent_collectives[i].active && record->recent_collectives[i].site == thread->published.site &&
            record->recent_collectives[i].entered == thread->published.entered)
            record->recent_collectives[i].active = 0;
    record->collective_states[function->collective_class].active--;
}

#endif
