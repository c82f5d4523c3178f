/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: collective calls.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_COLLECTIVES_H
#define MPILENS_INSPECT_COLLECT_COLLECT_COLLECTIVES_H

#include "collect/collection.h"

typedef int next_collective_function(mqs_process *, struct mpilens_collective_information *);
/* Appends the collective calls that `next` lists. Returns mqs_ok, or a code of the DLL. */
int collect_collectives(const struct collection *collection, next_collective_function *next,
                        struct collective_call **calls, size_t *count);

#endif
