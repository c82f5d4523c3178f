/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the entry points of mpid.h are made of. They give the replies of the extension, about what this interface keeps
 * for a process.
 */
#ifndef MPILENS_DLL_MPID_MPID_CALL_H
#define MPILENS_DLL_MPID_MPID_CALL_H

#include "mpilens/mpid.h"
#include "process/process_info.h"
#include "target/allocator.h"

struct _mpid_process_handle_t {
    mqs_process_info *process_info;
};

/* The callbacks of the debugger; NULL: none any more. */
void call_use_callbacks(const mpid_callbacks_t *given);

/* They are in force from here to call_leave. False: there are none, and nothing to leave. */
bool call_enter(const struct allocator **ret_before);
void call_leave(const struct allocator *before);

/* A process of the debugger; while the callbacks are in force. mqs_ok or a code. */
int process_handle_open(mpid_address_space_context_t *context, mpid_process_handle_t **ret_handle);
void process_handle_close(mpid_process_handle_t *handle);

/* One call of the debugger. */
struct mpid_call {
    mpid_process_handle_t *handle;
    mqs_process_info *info;
    const struct allocator *before;
};

/* The same around a call that is about a process. Begin gives mpid_rc_ok, or what to return instead of
 * going on. `look_anew`: whether the process may have moved. */
mpid_rc_t call_begin_process(mpid_process_handle_t *handle, bool look_anew, struct mpid_call *call);

/* Ends it. `code`: of the DLL. */
mpid_rc_t call_end(struct mpid_call *call, int code);

mpid_rc_t call_result(int code);

/* Frees what the debugger was given, of every kind. */
mpid_rc_t handle_free(void *handle);

#define MPID_GIVE(pointer, value)                                                                                      \
    do {                                                                                                               \
        if ((pointer) != NULL)                                                                                         \
            *(pointer) = (value);                                                                                      \
    } while (0)

#endif
