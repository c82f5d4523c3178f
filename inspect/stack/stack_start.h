/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames that start a program.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_START_H
#define MPILENS_INSPECT_STACK_STACK_START_H

#include "stack/stack.h"

/* Leaves out the outer frames that no user has written: those below main, and the main that compilers of Fortran make.
 * A stack that reaches main is then not cut. */
void stack_leave_out_start(struct thread_stack *stack);

#endif
