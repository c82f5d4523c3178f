/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of operations that have a request and are not messages: what they work on learns of it.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_REQUEST_OPERATION_OVER_H
#define MPILENS_RUNTIME_OPERATIONS_REQUEST_OPERATION_OVER_H

#include "mpilens/layout.h"

/* It is over, or never was: what it works on learns of it, once. Also where it has become known before the application
 * collects it. */
void request_operation_over(struct mpilens_operation *operation);

/* The same, and its record is about to be retired. Nothing happens to other operations. */
void request_operation_forget(struct mpilens_operation *operation);

#endif
