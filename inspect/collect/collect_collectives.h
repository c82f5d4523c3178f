/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: collective calls.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_COLLECTIVES_H
#define MPILENS_INSPECT_COLLECT_COLLECT_COLLECTIVES_H

#include "collect/collect_amounts.h"

typedef int next_collective_function(mqs_process *, struct mpilens_collective_information *);
/* Appends the collective calls that `next` lists. `exchange`: of the communicator that they are made on, NULL: they are
 * those of a window or file. Returns mqs_ok, or a code of the DLL. */
int collect_collectives(const struct collection *collection, next_collective_function *next, struct exchange *exchange,
                        struct collective_call **calls, size_t *count);

#endif
