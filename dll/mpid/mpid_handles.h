/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Debugging handles: what they are, and how they are made and found again.
 */
#ifndef MPILENS_DLL_MPID_MPID_HANDLES_H
#define MPILENS_DLL_MPID_MPID_HANDLES_H

#include "mpid/mpid_call.h"

/* What every debugging handle is. */
struct mpid_handle {
    mpid_process_handle_t *process;
    int kind; /* enum mpilens_object_kind */
    bool is_null;
    uint32_t serial;                       /* of an object */
    enum mpilens_handle_language language; /* of a request; of an object that is null */
    uint64_t value;                        /* likewise; of a status its address */
    uint64_t operation_serial;             /* of a request; 0: null */
    uint64_t matched_time;                 /* of a message, which has no serial; ticks */
};

/* As call_begin_process, without looking anew, and makes what the debugging handle stands for the current object.
 * `kind` MPILENS_OBJECT_NONE: any. A null handle gives mpid_rc_unavailable. */
mpid_rc_t call_begin(const void *handle, int kind, struct mpid_call *call,
                     struct mpilens_object_information *ret_object);

/* A null handle is an object without a serial. */
mpid_rc_t call_begin_basic(const void *opaque, int kind, struct mpid_call *call,
                           struct mpilens_object_information *ret_object);

mpid_rc_t call_begin_request(const mpid_request_handle_t *opaque, struct mpid_call *call,
                             struct mpilens_request_information *ret_request);

/* A new handle; `ret_handle` NULL: none. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int handle_make(const struct mpid_call *call, const struct mpid_handle *what, void *ret_handle);
int handle_make_object(const struct mpid_call *call, int kind, uint32_t serial, void *ret_handle);

/* The record that stands at `address` of the target as a new handle. mqs_no_information: none does. */
int handle_make_from_address(const struct mpid_call *call, int kind, uint64_t address, void *ret_handle);

/* Implementations of the queries by handle and by name, for every kind. */
mpid_rc_t handle_query(mpid_process_handle_t *process, int kind, langHandle handle, int language, void *ret_handle);
mpid_rc_t handle_query_by_name(mpid_process_handle_t *process, int kind, const char *name, void *ret_handle);

#endif
