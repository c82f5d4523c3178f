/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The search for a variable in the frames of the main thread.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_STACK_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_STACK_H

#include "variable/variable_search.h"

/* In frames of the main thread's stack, innermost first: those of the system, or all others. */
void search_stack(struct variable_search *search, bool in_system, bool is_stopped);

#endif
