/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Includes everything that the generated wrappers use.
 */
#ifndef MPILENS_RUNTIME_API_WRAPPER_H
#define MPILENS_RUNTIME_API_WRAPPER_H

#include "api/enter.h"
#include "api/life.h"
#include "fortran/fortran_request.h"
#include "mpi/functions.h"
#include "objects/attachable.h"
#include "objects/attribute.h"
#include "objects/collective_arguments.h"
#include "objects/communicator.h"
#include "objects/communicator_id.h"
#include "objects/datatype.h"
#include "objects/errhandler.h"
#include "objects/file.h"
#include "objects/group.h"
#include "objects/info.h"
#include "objects/keyval.h"
#include "objects/message.h"
#include "objects/object.h"
#include "objects/op.h"
#include "objects/session.h"
#include "objects/window.h"
#include "objects/window_epoch.h"
#include "operations/buffer.h"
#include "operations/collective_request.h"
#include "operations/completion.h"
#include "operations/failed_call.h"
#include "operations/object_call.h"
#include "operations/operation.h"
#include "operations/partitioned.h"
#include "operations/persistent.h"
#include "operations/poll.h"
#include "operations/request.h"
#include "operations/request_operation.h"
#include "process/process.h"
#include "thread/thread.h"

#define EXPORT __attribute__((visibility("default")))

/* PMPI_x is the wrapper of MPI_x, but in the static library: there it is the MPI library's. Where the build has entries
 * in assembly, it gets there by way of one that can say that the call has come in as PMPI_x (thread_is_past_tools). */
#if defined(MPILENS_STATIC)
#define PMPI_ENTRY(name, parameters)
#elif MPILENS_HAS_ENTRIES
#define PMPI_ENTRY(name, parameters)                                                                                   \
    __attribute__((visibility("hidden"))) int mpilens__wrapper_##name parameters __attribute__((alias(#name)));
#else
#define PMPI_ENTRY(name, parameters) EXPORT int P##name parameters __attribute__((alias(#name)));
#endif

/* The frame of the wrapper that uses it, comparable with what call_begin stores. */
#if defined(__x86_64__)
#define STACK_POINTER()                                                                                                \
    __extension__({                                                                                                    \
        uint64_t stack_pointer;                                                                                        \
        __asm__("movq %%rsp, %0" : "=r"(stack_pointer));                                                               \
        stack_pointer;                                                                                                 \
    })
#else
#define STACK_POINTER() ((uint64_t)(uintptr_t)__builtin_frame_address(0))
#endif

/* There is no record for the operation: only the call itself is shown. */
#define CALL_UNTRACKED(function, real)                                                                                 \
    do {                                                                                                               \
        call_begin_other(thread, function, site, NULL);                                                                \
        int untracked_error = (real);                                                                                  \
        call_end(thread);                                                                                              \
        return untracked_error;                                                                                        \
    } while (0)

INLINE void call_begin_probe(struct thread *thread, uint32_t function, uint64_t site, MPI_Comm communicator, int peer,
                             int tag)
{
    thread->published.peer = peer;
    thread->published.tag = tag;
    call_begin_other(thread, function, site, communicator_find_fast(thread, HANDLE_VALUE(communicator)));
}

/* The send, or the receive, of a call that has both. */
INLINE void operation_sent(struct thread *thread, struct mpilens_operation *operation, int error)
{
    if (unlikely(error != MPI_SUCCESS) && !error_is_truncation(error)) /* which is of the receive beside it */
        operation_failed(thread, operation);
    else
        operation_retire(thread, operation);
}

/* False: it has received nothing. */
INLINE bool operation_received_beside(struct thread *thread, struct mpilens_operation *operation,
                                      const MPI_Status *status, int error)
{
    struct mpilens_channel *channel = operation_channel_if_kept(operation);
    if (likely(error == MPI_SUCCESS))
        operation_received_own(thread, operation, channel, status);
    else if (!operation_received(thread, operation, channel, status, error)) {
        operation_discard(thread, operation);
        return false;
    }
    operation_retire(thread, operation);
    return true;
}

/* The communicator handle of a matched message, where it still names that communicator. */
INLINE MPI_Comm message_communicator(const struct mpilens_message *message)
{
    const struct mpilens_communicator *record = (const struct mpilens_communicator *)(uintptr_t)message->communicator;
    return record != NULL && record->state == MPILENS_OBJECT_LIVE ? (MPI_Comm)(uintptr_t)record->handle : MPI_COMM_NULL;
}

/* The message of a receive is known before it begins. */
INLINE void operation_matched(struct mpilens_operation *operation, const struct mpilens_message *message)
{
    if (!message->state)
        return;
    operation->communicator = message->communicator;
    operation->actual_source = message->source;
    operation->actual_tag = message->tag;
    operation->actual_bytes = message->bytes;
    __atomic_store_n(&operation->state, MPILENS_OPERATION_MATCHED, __ATOMIC_RELEASE);
}

#endif
