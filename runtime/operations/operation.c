/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Begins operations in the general case, and ends those that never complete normally.
 */
#include "operations/operation.h"

#include "operations/collective.h"
#include "operations/partitioned.h"
#include "operations/persistent.h"
#include "operations/request_operation.h"

struct mpilens_operation *operation_begin(struct thread *thread, struct operation_arguments arguments)
{
    struct operation_cache_entry *entry =
        operation_cache_place(thread, arguments.communicator, arguments.datatype, arguments.peer);
    if (!operation_cache_hit(entry, arguments.communicator, arguments.datatype, arguments.peer))
        entry = operation_cache_fill(thread, arguments.communicator, arguments.datatype, arguments.peer);
    if (unlikely(thread->free_operations == NULL) && !operation_take_slowly(thread))
        return NULL;
    struct mpilens_operation *operation = operation_take(thread);
    operation_begin_at(thread, entry, operation, arguments);
    return operation;
}

/* A record whose request handle names another operation now: its end was not seen. */
static void drop(struct mpilens_operation *operation)
{
    struct mpilens_operation *partner = operation_second(operation);
    if (partner != NULL)
        operation->partner = 0;
    partitioned_forget(operation);
    request_operation_forget(operation);
    operation_return_abandoned(operation);
    if (partner != NULL)
        operation_return_abandoned(partner);
}

void operation_insert_slowly(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    struct mpilens_operation *stale = request_table_insert_slowly(&thread->requests, request, operation);
    while (unlikely(stale != NULL)) {
        struct mpilens_operation *next = operation_at(stale->next);
        drop(stale);
        stale = next;
    }
}

/* A refused call has sent nothing: the receiver never counts it, so the sender must not either. */
void operation_forget_use(struct thread *thread, const struct mpilens_operation *operation)
{
    if (operation->posted == thread->unknown_datatype_serial)
        thread->unknown_datatype = 0;
    if (operation->flags & MPILENS_OPERATION_SEND)
        operation_channel_slowly(thread, operation, operation->peer)->sent--;
}

void operation_failed(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation->flags & MPILENS_OPERATION_COLLECTIVE)
        collective_never_was(operation);
    request_operation_forget(operation);
    operation_forget_use(thread, operation);
    operation_discard(thread, operation);
}

/* A borrowed record is the next place of the recorder; it stays there, so only its state changes. */
void operation_failed_borrowed(struct thread *thread, struct mpilens_operation *operation)
{
    operation_forget_use(thread, operation);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_ABANDONED, __ATOMIC_RELEASE);
}

void operation_discard(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation->thread != thread->published.index) {
        operation_return_abandoned(operation);
        return;
    }
    operation_retire(thread, operation);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_ABANDONED, __ATOMIC_RELEASE);
}

/* Of what the call itself does only: what a request names lives on. It has failed. */
static void abandon(struct thread *thread, struct mpilens_operation *operation)
{
    if (operation == NULL || operation->thread != thread->published.index ||
        operation->function != thread->published.function ||
        (!(operation->flags & MPILENS_OPERATION_BLOCKING) && operation->request != 0) ||
        (operation->state != MPILENS_OPERATION_PENDING && operation->state != MPILENS_OPERATION_MATCHED))
        return;
    if (operation_is_borrowed(thread, operation))
        operation_failed_borrowed(thread, operation);
    else
        operation_failed(thread, operation);
}

void operation_abandon_current(struct thread *thread)
{
    abandon(thread, operation_at(thread->published.operation));
    abandon(thread, operation_at(thread->published.operation_2));
    persistent_abandon(thread);
    thread->published.operation = 0;
    thread->published.operation_2 = 0;
    thread->published.request_count = 0;
}
