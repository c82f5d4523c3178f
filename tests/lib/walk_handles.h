/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the DLL for all that is known of the current object.
 */
#ifndef MPILENS_WALK_HANDLES_H
#define MPILENS_WALK_HANDLES_H

#include "mpilens/extension.h"

/* `object` is what the DLL said of the current object. Afterwards the object that its handle names is the current one.
 * Returns how many answers were wrong, as walk_result.wrong. */
uint64_t walk_handle(mqs_process *process, const struct mpilens_object_information *object);

/* As above, for a request, and for a status at some address. */
uint64_t walk_request_handle(mqs_process *process, uint64_t request);
uint64_t walk_status(mqs_process *walker, mqs_taddr_t address);

#endif
