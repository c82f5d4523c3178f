/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the operation that a request names.
 */
#ifndef MPILENS_DLL_FACTS_REQUEST_LOOKUP_H
#define MPILENS_DLL_FACTS_REQUEST_LOOKUP_H

#include "facts/handle_lookup.h"

/* The operation of the snapshot that a request names; of a persistent one that is active, what was started with it.
 * mqs_ok, mqs_no_information: none, or a code of reading the target. */
int request_lookup(const struct reading *reading, const struct handle *handle,
                   const struct mpilens_operation **ret_operation);

/* How many operations of the snapshot that are under way have the request of this one. */
uint32_t request_count_sharers(const struct reading *reading, const struct mpilens_operation *shared);

/* The integer that Fortran has for the request of an operation of the snapshot. False: none that is known. */
bool request_in_fortran(const struct reading *reading, const struct mpilens_operation *operation, int64_t *ret_fortran);

#endif
