/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a user says which handle is meant.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_QUERY_H
#define MPILENS_INSPECT_HANDLE_HANDLE_QUERY_H

#include "handle/handle.h"

/* "comm", "datatype", "win", ... False: there is no such kind. */
bool handle_parse_kind(const char *text, uint32_t *ret_kind);
/* "comm, datatype, ...": all of them. */
const char *handle_kind_names(void);
/* "0x84000002", "17", "-2080374782", "017" (seventeen). False: not an integer of 64 bits. */
bool handle_parse_value(const char *text, uint64_t *ret_value);
/* KIND VALUE, KIND NAME or NAME, which stay the caller's; `target` is for sentences. Of `query` the language stays. 0,
 * or -1 and a reason. */
int handle_parse_query(char *const words[], size_t count, const char *target, struct handle_query *query,
                       struct reason *ret_reason);

#endif
