/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of Python in the stacks of threads.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_PYTHON_H
#define MPILENS_INSPECT_STACK_STACK_PYTHON_H

#include "python/python_stacks.h"
#include "stack/stack.h"

/* Puts the functions of Python in the place of those of the interpreter that run them. A stack without is left. */
void stack_take_python(struct thread_stack *stack, const struct python_stacks *stacks, struct site_cache *sites);

#endif
