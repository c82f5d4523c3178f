/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks for people, out of the frames that were unwound: what MPI and the system do inside is one line.
 */
#ifndef MPILENS_INSPECT_STACK_CALL_STACK_H
#define MPILENS_INSPECT_STACK_CALL_STACK_H

#include "model/model.h"
#include "stack/stack.h"

/* Fills process->call_stacks. */
void process_take_call_stacks(struct job *job, struct process *process, const struct stacks *stacks);

/* Whether the stack has a line of the program; helpers of libraries have none. */
bool call_stack_is_of_program(const struct call_stack *stack);

/* "cg (wrap.c:11)", "cg (libsolver.so)", "? (app+0x1139)", "MPI_Allreduce (MPI library)", "nanosleep (libc.so.6)", "?".
 * The caller frees it. */
char *describe_stack_line(const struct stack_line *line);

#endif
