/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Predicates on operation records: live, a message, to nobody, complete.
 */
#ifndef MPILENS_DLL_SNAPSHOT_OPERATION_KINDS_H
#define MPILENS_DLL_SNAPSHOT_OPERATION_KINDS_H

#include "mpilens/layout.h"

#include <stdbool.h>

/* Whether the operation has been started and not collected. */
bool operation_is_live(const struct mpilens_operation *operation);

/* Whether it is a send or a receive. */
bool operation_is_message(const struct mpilens_operation *operation);

/* Whether it has no peer: such a message needs nobody else, and no queue shows it. Peers of other classes are none. */
bool operation_is_to_nobody(const struct mpilens_operation *operation, int32_t proc_null);

/* Of a copy: the request that it had and has no longer, as it was freed or is over; 0: none. */
uint64_t operation_former_request(const struct mpilens_operation *operation);

/* Whether it is known to be complete. */
bool operation_is_complete(const struct mpilens_operation *operation);

#endif
