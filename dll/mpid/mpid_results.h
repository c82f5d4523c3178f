/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What several queries give: texts, lists, and the facts that all kinds have.
 */
#ifndef MPILENS_DLL_MPID_MPID_RESULTS_H
#define MPILENS_DLL_MPID_MPID_RESULTS_H

#include "answers/answer_contents.h"
#include "mpid/mpid_handles.h"

/* mpid_info_bitmap_t of what an object can be attached to (enum mpilens_attachable). */
int result_attachable_flags(uint32_t attachable);

/* What the basic queries have in common. */
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
