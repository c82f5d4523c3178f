/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The debugger's basic callbacks: memory, and what hangs on images and processes.
 */
#ifndef MPILENS_DLL_TARGET_CALLBACKS_H
#define MPILENS_DLL_TARGET_CALLBACKS_H

#include "mpilens/extension.h"

/* The callbacks given to mqs_setup_basic_callbacks; NULL if there are none or a required one is missing. */
const mqs_basic_callbacks *basic_callbacks(void);

/* Puts others in their place, and into use as the allocator, and returns those of before. For the calls of another
 * interface, which has its own. */
const mqs_basic_callbacks *basic_callbacks_exchange(const mqs_basic_callbacks *given);

#endif
