/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The debugger's callbacks as given to mpidbg_init_once.
 */
#ifndef MPILENS_DLL_MPIDBG_MPIDBG_SETUP_H
#define MPILENS_DLL_MPIDBG_MPIDBG_SETUP_H

#include "mpilens/message_queue.h"

/* NULL: not given. */
const mqs_basic_callbacks *inquiry_callbacks(void);

#endif
