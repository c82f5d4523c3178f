/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Table, templates and generator of the wrappers; how calls enter; how MPI begins and ends.
 */
#ifndef MPILENS_RUNTIME_API_API_INTERNAL_H
#define MPILENS_RUNTIME_API_API_INTERNAL_H

#include "fortran/fortran.h"
#include "mpi/functions.h"
#include "objects/objects.h"
#include "operations/operations.h"
#include "process/process.h"
#include "thread/thread.h"
#include "unexpected/unexpected.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- enter.c --
 * The slow path into a wrapper, for a thread that is not known yet, that is inside another call, or whose call needs
 * more than a record.
 */

/* A wrapper's slow way: from thread_enter_slowly to thread_leave. */
struct slow_way {
    const void *caller;                 /* return address of the wrapper; then the site of the call */
    uint64_t frame;                     /* where the wrapper's stack begins */
    struct outer_call *outer;           /* the call that it interrupts, or NULL */
    struct fortran_statement statement; /* that has led here; a NULL site: none */
};

/* For a call that finds its thread unknown or inside another call: `way` has caller and frame. Returns the thread
 * where the call is the application's, until thread_leave. Returns NULL where it is not (or nothing can be
 * tracked): call the MPI library's function and nothing else. */
struct thread *thread_enter_slowly(struct slow_way *way) COLD;

/* Back to the interrupted call, if there is one. */
void thread_leave(struct thread *thread, struct slow_way *way) COLD;

/* -- exchange.c --
 * Calls that send and receive at once, made of a synchronous send and a receive.
 */

/* Waits for both requests; MPI_REQUEST_NULL is a completed receive. `error` of starting the send: nothing was sent, so
 * nothing is received. Returns the error of the receive, else of the send. */
int exchange_end(int error, MPI_Request *send, MPI_Request *receive, MPI_Status *status);

/* A copy of data to send from a buffer into which something else is being received. */
struct packed_copy {
    MPI_Count bytes; /* -1: too many to be packed by this MPI, or there is no memory; nothing to clear then */
    void *memory;
    size_t memory_bytes;
};

/* Returns an error of MPI. */
int packed_copy_make(struct packed_copy *ret_copy, const void *buffer, MPI_Count count, MPI_Datatype datatype,
                     MPI_Comm communicator);
/* Starts a synchronous send of it. */
int packed_copy_send(const struct packed_copy *copy, int peer, int tag, MPI_Comm communicator, MPI_Request *ret_send);
/* Starts a standard send of the packed copy, as the library would. */
int packed_copy_start(const struct packed_copy *copy, int peer, int tag, MPI_Comm communicator, MPI_Request *ret_send);
void packed_copy_clear(struct packed_copy *copy);

/* -- exact.c -- The building blocks for exact.py: calls that look first at the messages that were taken out.
 */

/* A matched message was to be received: `error` says whether it was. Ends the question; returns the error. */
int exact_received(struct taken *taken, int error);

/* Nothing was received: the message stays where it was. Ends the question. */
void exact_refused(struct taken *taken);

/* A standard send of a copy that nobody will ask for, or MPI_REQUEST_NULL: its memory is given back by a later call of
 * this function. */
void exact_leave_to_be_sent(const struct packed_copy *copy, MPI_Request send);

/* A matched probe has one for the application. */
void exact_probed(struct taken *taken, MPI_Message *ret_message, MPI_Status *ret_status);

/* MPI_Startall where the gate is not open. */
int exact_start_all(int count, MPI_Request *requests);

/* Around MPI_Comm_free and MPI_Comm_disconnect. The first returns what the second takes as `outer`. */
uint64_t exact_begin_free(MPI_Comm communicator);
void exact_end_free(MPI_Comm communicator, bool freed, uint64_t outer);

INLINE bool exact_has_stand_ins(void)
{
    return unlikely(__atomic_load_n(&mpilens__stand_ins, __ATOMIC_ACQUIRE) != 0);
}

/* -- life.c --
 * How MPI begins and ends in the process: for the wrappers of MPI_Init, MPI_Finalize and their likes of sessions.
 */

/* MPI_Init or MPI_Init_thread is about to ask for this level (MPI_THREAD_*). */
void process_initializing(int thread_level);

/* MPI_Init or MPI_Init_thread has returned successfully. */
void process_initialized(void);

/* MPI_Finalize is about to be called. */
void process_finalizing(void);

/* It has returned. */
void process_finalized(bool succeeded);

/* A session has begun, with this level (0 single ... 3 multiple, -1: not known). It can be asked already. */
void process_session_begun(int32_t thread_level);

/* MPI_Session_finalize is about to be called. */
void process_session_ending(void);

/* It has returned. */
void process_session_over(bool succeeded);

/* Includes everything that the generated wrappers use. */

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

/* Where the stack of the wrapper that uses it begins: no lower than what call_begin stores in any call from the same
 * place, whatever their frames hold, and lower than what it stores in a call around this one. The return address, or
 * what the wrapper saves, is below the caller's stack. Other compilers and processors tell only about where the frame
 * is. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define STACK_START() ((uint64_t)(uintptr_t)__builtin_dwarf_cfa() - sizeof(void *))
#elif defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
#define STACK_START() ((uint64_t)(uintptr_t)__builtin_dwarf_cfa() - 2 * sizeof(void *))
#elif defined(__x86_64__)
#define STACK_START()                                                                                                  \
    __extension__({                                                                                                    \
        uint64_t stack_pointer;                                                                                        \
        __asm__("movq %%rsp, %0" : "=r"(stack_pointer));                                                               \
        stack_pointer;                                                                                                 \
    })
#else
#define STACK_START() ((uint64_t)(uintptr_t)__builtin_frame_address(0))
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
