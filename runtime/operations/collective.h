/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls: counts per class and the last calls of every communicator.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_COLLECTIVE_H
#define MPILENS_RUNTIME_OPERATIONS_COLLECTIVE_H

#include "objects/collective_order.h"
#include "objects/communicator.h"
#include "objects/datatype.h"
#include "operations/call.h"

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
    const struct count_arrays *arrays; /* NULL: none */
};

/* Nonblocking ones may end in another thread than the one that begins the next. */
INLINE void collective_count_active(const struct thread *thread, struct mpilens_collective_state *state, int32_t change)
{
    if (unlikely(thread->requests.shared))
        __atomic_fetch_add(&state->active, (uint32_t)change, __ATOMIC_RELAXED);
    else
        state->active += (uint32_t)change;
}

/* The call gets a mark; it is the first, or the marks are due for it. */
void collective_mark(struct mpilens_communicator *record, const struct mpilens_collective *call) COLD;

/* A call is looked at when it is over: few registers are in use then. */
INLINE void collective_mark_if_due(struct mpilens_communicator *record, const struct mpilens_collective *call)
{
    if (unlikely((call->serial & record->mark_mask) == 0))
        collective_mark(record, call);
}

/* Notes the next collective call on the communicator, as collective_take_place. */
INLINE struct mpilens_collective *collective_note(const struct thread *thread, struct mpilens_communicator *record,
                                                  uint32_t collective_class, const struct mpilens_collective described,
                                                  const struct count_arrays *arrays)
{
    struct mpilens_collective *call =
        collective_take_place(&record->collective_count, record->recent_collectives, described, arrays);
    struct mpilens_collective_state *state = &record->collective_states[collective_class];
    state->count++;
    record->root_sum += (uint64_t)(int64_t)described.root;
    collective_count_active(thread, state, 1);
    return call;
}

/* What is noted of the call that the thread is in; `datatype`: its record's address. */
INLINE struct mpilens_collective collective_described(const struct thread *thread,
                                                      const struct collective_arguments *arguments, uint64_t datatype)
{
    return (struct mpilens_collective){.entered = thread->published.entered,
                                       .site = arguments->site,
                                       .function = arguments->function,
                                       .root = arguments->root,
                                       .has_root = arguments->has_root,
                                       .count = arguments->count,
                                       .datatype = datatype,
                                       .op = arguments->op,
                                       .buffer = arguments->buffer};
}

/* The call that collective_note has given `call` for is over. */
INLINE void collective_note_end(const struct thread *thread, struct mpilens_communicator *record,
                                uint32_t collective_class, struct mpilens_collective *call)
{
    call->active = 0;
    collective_count_active(thread, &record->collective_states[collective_class], -1);
}

/* A blocking call on the communicator of `record`, NULL: it is not known. Returns its entry among the recent ones, or
 * NULL. */
INLINE struct mpilens_collective *collective_begin(struct thread *thread, struct mpilens_communicator *record,
                                                   const struct collective_arguments arguments)
{
    call_begin_other(thread, arguments.function, arguments.site, record);
    if (unlikely(record == NULL))
        return NULL;
    struct mpilens_datatype *datatype =
        arguments.has_datatype ? datatype_find(thread, arguments.datatype, false) : NULL;
    return collective_note(thread, record, arguments.collective_class,
                           collective_described(thread, &arguments, (uint64_t)(uintptr_t)datatype), arguments.arrays);
}

/* It has failed, or other threads may end calls at the same time. */
void collective_end_slowly(const struct thread *thread, struct mpilens_collective *call, uint32_t collective_class,
                           int error) COLD;

/* It has returned `error`, as this does. */
INLINE int collective_end(struct thread *thread, struct mpilens_collective *call, uint32_t collective_class, int error)
{
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)thread->published.communicator;
    if (likely(call != NULL)) {
        if (unlikely(error != MPI_SUCCESS || thread->requests.shared)) {
            collective_end_slowly(thread, call, collective_class, error);
        } else {
            call->active = 0;
            record->collective_states[collective_class].active--;
            collective_mark_if_due(record, call);
        }
    }
    call_end(thread);
    return error;
}

/* `persistent` is one of these calls: where their arrays of counts are is kept until it is forgotten. Those of calls
 * with an op are not: it takes their place. */
void collective_keep_arrays(struct mpilens_operation *persistent, const struct count_arrays *arrays);
void collective_forget_arrays(struct mpilens_operation *persistent);

/* `persistent` is about to be started once more. Returns the serial of the call, 0: not known. */
uint64_t collective_restart(struct thread *thread, const struct mpilens_operation *persistent);

/* A nonblocking one, or MPI_Comm_idup, is over. */
void collective_over(const struct mpilens_operation *operation);

/* A nonblocking one has failed to start: it was no call on the communicator. Before collective_over. */
void collective_never_was(const struct mpilens_operation *operation);

/* The thread's current call, if it is a collective one, will never end normally. */
void collective_abandon(struct thread *thread);

#endif
