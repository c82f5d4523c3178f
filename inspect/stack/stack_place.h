/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a thread is, by its stack.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_PLACE_H
#define MPILENS_INSPECT_STACK_STACK_PLACE_H

#include "stack/stack.h"

/* Where the thread is for its user: the innermost frame of the program, or of a library whose lines are known. NULL:
 * there is none. */
const struct stack_frame *stack_find_place(const struct thread_stack *stack);

/* Its innermost frame of the application, of whatever module. NULL: there is none. */
const struct stack_frame *stack_find_innermost(const struct thread_stack *stack);
/* The function of the system that this frame has called: "flock". NULL: it has not, or not known. The caller frees it.
 */
char *stack_find_called(const struct thread_stack *stack);

/* "compute (solve.c:41)", "compute (libsolver.so)"; NULL: not known. The caller frees it. */
char *describe_place(const struct thread_stack *stack);
/* "pthread_join < solve (solve.c:41) < main (main.c:120)": the function of the system that the program has called, if
 * any, and the program's frames from there; long ones shortened in the middle. NULL: not known. The caller frees it. */
char *describe_stack(const struct thread_stack *stack);

#endif
