/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the entry points of mpid.h are made of. They read the same snapshot as the other interfaces: a process handle is
 * an mqs_process to it, with callbacks that call those of mpid.h.
 */
#ifndef MPILENS_DLL_MPID_MPID_CALL_H
#define MPILENS_DLL_MPID_MPID_CALL_H

#include "mpilens/mpid.h"
#include "process/process_info.h"

struct _mpid_process_handle_t {
    mpid_address_space_context_t *context;
    mqs_image_info *image_info;
    mqs_process_info *process_info;
};

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

/* One call of the debugger. */
struct mpid_call {
    mpid_process_handle_t *handle;
    mqs_process_info *info;
    const mqs_basic_callbacks *before;
};

/* Between begin and end, the debugger's callbacks are in force. Begin gives mpid_rc_ok, or what to return instead of
 * going on. `look_anew`: whether the process may have moved. */
mpid_rc_t mpid_begin_process(mpid_process_handle_t *handle, bool look_anew, struct mpid_call *call);

/* The same, and makes what the debugging handle stands for the current object. `kind` MPILENS_OBJECT_NONE: any. A null
 * handle gives mpid_rc_unavailable. */
mpid_rc_t mpid_begin(const void *handle, int kind, struct mpid_call *call,
                     struct mpilens_object_information *ret_object);

/* A null handle is an object without a serial. */
mpid_rc_t mpid_begin_basic(const void *opaque, int kind, struct mpid_call *call,
                           struct mpilens_object_information *ret_object);

mpid_rc_t mpid_begin_request(const mpid_request_handle_t *opaque, struct mpid_call *call,
                             struct mpilens_request_information *ret_request);

/* Ends it. `code`: of the DLL. */
mpid_rc_t mpid_end(struct mpid_call *call, int code);

mpid_rc_t mpid_result(int code);

/* A new handle; `ret_handle` NULL: none. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int mpid_make(const struct mpid_call *call, const struct mpid_handle *what, void *ret_handle);
int mpid_make_object(const struct mpid_call *call, int kind, uint32_t serial, void *ret_handle);

/* The record that stands at `address` of the target as a new handle. mqs_no_information: none does. */
int mpid_make_from_address(const struct mpid_call *call, int kind, uint64_t address, void *ret_handle);

/* Implementations of the queries by handle, by name, and of freeing, for every kind. */
mpid_rc_t mpid_query(mpid_process_handle_t *process, int kind, langHandle handle, int language, void *ret_handle);
mpid_rc_t mpid_query_by_name(mpid_process_handle_t *process, int kind, const char *name, void *ret_handle);
mpid_rc_t mpid_free(void *handle);

/* mpid_info_bitmap_t of an object, and of what it can be attached to (enum mpilens_attachable). */
int mpid_flags(const struct mpilens_object_information *object, const struct mpilens_handle_information *handle);
int mpid_attachable_flags(uint32_t attachable);

/* What the basic queries have in common. */
struct mpid_basic {
    struct mpilens_object_information object;
    int flags;
    int fortran_handle; /* -1: none */
    char *name;         /* from the debugger */
};

/* Begins and finds it. A null handle has a name and the flag. */
mpid_rc_t mpid_begin_common(const void *opaque, int kind, bool with_name, struct mpid_call *call,
                            struct mpid_basic *ret_basic);

/* Gives it; `code` other than mqs_ok: frees it. Ends the call. */
mpid_rc_t mpid_end_common(struct mpid_call *call, struct mpid_basic *basic, int code, char **ret_name, int *ret_flags,
                          int *ret_fortran_handle);

/* --- results --- */

struct mpid_list;

/* Makes a list about the current object. mqs_ok or a code, with what is there so far in the list. */
typedef int mpid_collect(const struct mpid_call *, struct mpid_list *ret_list);

/* A whole query that gives a list. `discard`: frees what the items hold, NULL: they hold nothing. */
mpid_rc_t mpid_query_list(const void *handle, int kind, mpid_collect *collect,
                          void (*discard)(const struct mpid_list *), int *ret_count, void *ret_items);

/* A whole query that gives a new handle of what the record refers to: the field at `offset` has the address. */
mpid_rc_t mpid_query_reference(const void *handle, int kind, size_t offset, int referred_kind, void *ret_handle);

/* Text for the debugger, NULL for NULL and "" where `or_null`. `*code` other than mqs_ok: NULL; it becomes
 * MPILENS_ERROR_NO_MEMORY where there is none. */
char *mpid_text(const char *text, bool or_null, int *code);

/* An array that grows. */
struct mpid_list {
    void *items;
    size_t count;
    size_t capacity;
    size_t item_bytes;
};
/* Room for one more, uninitialised; NULL: no memory. */
void *mpid_list_add(struct mpid_list *list);

/* Key and value pairs of the current object, to be given or freed. */
int mpid_collect_pairs(const struct mpid_call *call, struct mpid_list *ret_pairs);
void mpid_free_pairs(const struct mpid_list *pairs);

/* C handles of the users of this kind of the current object; of those that are requests. */
int mpid_collect_users(const struct mpid_call *call, int kind, struct mpid_list *ret_handles);
int mpid_collect_requests(const struct mpid_call *call, struct mpid_list *ret_handles);

/* Members of the current group or communicator. */
int mpid_collect_procs(const struct mpid_call *call, int remote, struct mpid_list *ret_processes);

/* Gives the array where it is wanted, and frees it where not or where `code` is not mqs_ok. */
void mpid_give_list(struct mpid_list *list, int code, int *ret_count, void *ret_items);

#define MPID_GIVE(pointer, value)                                                                                      \
    do {                                                                                                               \
        if ((pointer) != NULL)                                                                                         \
            *(pointer) = (value);                                                                                      \
    } while (0)

#endif
