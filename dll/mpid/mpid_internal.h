/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points `mpid_*`.
 */
#ifndef MPILENS_DLL_MPID_MPID_INTERNAL_H
#define MPILENS_DLL_MPID_MPID_INTERNAL_H

#include "answers/answers.h"
#include "mpilens/mpid.h"
#include "process/process.h"
#include "target/target.h"

/* -- mpid_basic_types.c -- The kinds of predefined datatypes, by their names.
 */

/* Its kind and the languages that have it; MPID_TYPE_KIND_NONTRIVIAL where it is none of the simple kinds. */
enum mpid_type_bitmap_t basic_type_of(const char *name);

/* -- mpid_call.c -- The frame of the entry points of mpid.h. They give the replies of the extension, about this
 * interface's own information on a process.
 */

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

/* -- mpid_handles.c -- Debugging handles: their struct, making them, finding their objects again.
 */

/* Common part of debugging handles. */
struct mpid_handle {
    mpid_process_handle_t *process;
    int kind; /* enum mpilens_object_kind */
    bool is_null;
    uint32_t serial;                       /* of an object */
    enum mpilens_handle_language language; /* of a request; of an object that is null */
    uint64_t value;                        /* of a request; of an object that is null; of a status its address */
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
                             struct mpilens_operation_information *ret_request);

/* A new handle; `ret_handle` NULL: none. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int handle_make(const struct mpid_call *call, const struct mpid_handle *what, void *ret_handle);
int handle_make_object(const struct mpid_call *call, int kind, uint32_t serial, void *ret_handle);

/* The record that stands at `address` of the target as a new handle. mqs_no_information: none does. */
int handle_make_from_address(const struct mpid_call *call, int kind, uint64_t address, void *ret_handle);

/* Implementations of the queries by handle and by name, for every kind. */
mpid_rc_t handle_query(mpid_process_handle_t *process, int kind, langHandle handle, int language, void *ret_handle);
mpid_rc_t handle_query_by_name(mpid_process_handle_t *process, int kind, const char *name, void *ret_handle);

/* -- mpid_results.c -- Common results of queries: texts, lists, and the facts that all kinds have.
 */

/* mpid_info_bitmap_t of what an object can be attached to (enum mpilens_attachable). */
int result_attachable_flags(uint32_t attachable);

/* Common answers of the basic queries. */
struct mpid_basic {
    struct mpilens_object_information object;
    int flags;
    int fortran_handle; /* -1: none */
    char *name;         /* from the debugger */
};

/* Begins and finds it. A null handle has a name and the flag. */
mpid_rc_t call_begin_common(const void *opaque, int kind, bool with_name, struct mpid_call *call,
                            struct mpid_basic *ret_basic);

/* Gives it; `code` other than mqs_ok: frees it. Ends the call. */
mpid_rc_t call_end_common(struct mpid_call *call, struct mpid_basic *basic, int code, char **ret_name, int *ret_flags,
                          int *ret_fortran_handle);

/* Makes a list about the current object. mqs_ok or a code, with what is there so far in the list. */
typedef int collect_list(const struct mpid_call *, struct answer_list *ret_list);

/* A whole query that gives a list. `discard`: frees what the items hold, NULL: they hold nothing. */
mpid_rc_t handle_query_list(const void *handle, int kind, collect_list *collect,
                            void (*discard)(const struct answer_list *), int *ret_count, void *ret_items);

/* A whole query that gives a new handle of what the record refers to: the field at `offset` has the address. */
mpid_rc_t handle_query_reference(const void *handle, int kind, size_t offset, int referred_kind, void *ret_handle);

/* Text for the debugger, NULL for NULL and "" where `or_null`. `*code` other than mqs_ok: NULL; it becomes
 * MPILENS_ERROR_NO_MEMORY where there is none. */
char *result_text(const char *text, bool or_null, int *code);

/* Key and value pairs of the current object, to be given or freed. */
int result_collect_pairs(const struct mpid_call *call, struct answer_list *ret_pairs);
void result_free_pairs(const struct answer_list *pairs);

/* C handles of the requests that use the current object. */
int result_collect_requests(const struct mpid_call *call, struct answer_list *ret_handles);

/* A copy of some items as a list of its own. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int result_part(const void *from, size_t count, size_t item_bytes, struct answer_list *ret_part);

/* Gives the array where it is wanted, and frees it where not or where `code` is not mqs_ok. */
void result_give_list(struct answer_list *list, int code, int *ret_count, void *ret_items);

#endif
