/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exceptions of C++ that leave the functions of a thread, and ends of programs from deep inside, by its stack.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_EXCEPTION_H
#define MPILENS_INSPECT_STACK_STACK_EXCEPTION_H

#include "stack/stack.h"

/* The exception, if one of the addresses is that of an exception object: "std::runtime_error: no cell", as much of it
 * as can be read. Addresses that are 0 are passed over. NULL: there is none. The caller frees it. */
char *describe_thrown(struct target *target, const uint64_t *addresses, size_t count);

/* "in exit(), which check (input.c:20) has called", "after main has returned", "in std::terminate", of a stack whose
 * start was left out. NULL: it is in none of these. The caller frees it. */
char *describe_stack_end(const struct thread_stack *stack, bool *ret_is_terminated);

#endif
