/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to what is known of one handle.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_COLLECT_H
#define MPILENS_INSPECT_HANDLE_HANDLE_COLLECT_H

#include "collect/collect.h"
#include "handle/handle.h"

enum handle_result {
    HANDLE_FOUND,
    HANDLE_UNKNOWN, /* it names nothing that is known */
    HANDLE_FAILED,  /* the DLL has given an error, *ret_code */
};

/* Looks up a value; the handle is to be cleared where it was found. `process` has what collect_process has read. */
enum handle_result handle_collect(const struct collection *collection, const struct process *process,
                                  const struct handle_query *query, struct handle *ret_handle, int *ret_code);

/* The predefined object of that name, of query->kind where that is not MPILENS_OBJECT_NONE; likewise. */
enum handle_result handle_collect_predefined(const struct collection *collection, const struct process *process,
                                             const struct handle_query *query, struct handle *ret_handle,
                                             int *ret_code);

#endif
