/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The debugger's callbacks as given to mpidbg_init_once, which need not be those of the message queue interface.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_CALLBACKS_H
#define MPILENS_DLL_MPIDBG_MPIDBG_CALLBACKS_H

#include "mpilens/message_queue.h"

#include <stddef.h>

/* NULL: none any more. Those from before. */
const mqs_basic_callbacks *inquiry_use_callbacks(const mqs_basic_callbacks *given);

/* They are in use from here to inquiry_leave. NULL: there are none, and nothing to leave. */
const mqs_basic_callbacks *inquiry_enter(const mqs_basic_callbacks **ret_former);
void inquiry_leave(const mqs_basic_callbacks *former);

/* Zeroed memory of the debugger, NULL: none. */
void *inquiry_allocate(size_t count, size_t bytes);

/* Frees one block. MPIDBG_ERR_NOT_FOUND: it is NULL. */
int inquiry_release(void *object);

#endif
