/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments of a call, as far as the debug information of its caller tells them: what the compiler has written down of
 * the call (call sites of DWARF), as constants or in registers that the functions it has called give back.
 */
#ifndef MPILENS_INSPECT_STACK_CALL_ARGUMENTS_H
#define MPILENS_INSPECT_STACK_CALL_ARGUMENTS_H

#include "stack/stack.h"

/* Of a function with integers and pointers only. */
enum { MOST_ARGUMENTS = 16 };

struct call_arguments {
    uint64_t values[MOST_ARGUMENTS]; /* narrower ones: whatever is above is undefined */
    bool is_known[MOST_ARGUMENTS];
};

/* Of the call that the frame `caller` of the stack makes. Nothing is known on other machines than x86-64. */
struct call_arguments find_call_arguments(struct target *target, const struct thread_stack *stack,
                                          const struct stack_frame *caller);

#endif
