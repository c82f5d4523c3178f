/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a call enters, by its instruction: a library may have left that function since by a jump, and it is on no stack
 * then.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_CALLEE_H
#define MPILENS_INSPECT_STACK_STACK_CALLEE_H

#include "target/target.h"

#include <stdint.h>

/* The symbol of the function that the call before this return address enters, directly or through a table of the
 * linker. NULL: not known, as of calls through a pointer and on other machines than x86-64 and arm64. Valid until the
 * target is closed. */
const char *stack_find_callee(struct target *target, uint64_t return_address);

/* The address of that function; 0: not known. `machine`: as in ELF, whose code it is. */
uint64_t stack_decode_call(struct target *target, int machine, uint64_t return_address);

#endif
