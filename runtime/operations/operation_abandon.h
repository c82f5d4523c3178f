/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that will never end normally.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_OPERATION_ABANDON_H
#define MPILENS_RUNTIME_OPERATIONS_OPERATION_ABANDON_H

#include "thread/thread.h"

/* What the thread's current call was doing will never end normally. */
void operation_abandon_current(struct thread *thread) COLD;

#endif
