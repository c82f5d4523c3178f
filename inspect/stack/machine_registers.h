/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers of this machine, by their numbers in DWARF, as its ABI uses them.
 */
#ifndef MPILENS_INSPECT_STACK_MACHINE_REGISTERS_H
#define MPILENS_INSPECT_STACK_MACHINE_REGISTERS_H

/* REGISTER_LIST_KEPT: those that a function finds again as they were when what it has called returns.
 * REGISTER_LIST_ARGUMENTS: those of the first integer arguments of a call. */
#if defined(__x86_64__)
#define REGISTERS_ARE_KNOWN     1
#define REGISTER_LIST_KEPT      3, 6, 12, 13, 14, 15
#define REGISTER_LIST_ARGUMENTS 5, 4, 1, 2, 8, 9
enum { STACK_POINTER = 7, KEPT_REGISTERS = 6, REGISTER_ARGUMENTS = 6 };
#elif defined(__aarch64__)
#define REGISTERS_ARE_KNOWN     1
#define REGISTER_LIST_KEPT      19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
#define REGISTER_LIST_ARGUMENTS 0, 1, 2, 3, 4, 5, 6, 7
enum { STACK_POINTER = 31, KEPT_REGISTERS = 11, REGISTER_ARGUMENTS = 8 };
#else
#define REGISTERS_ARE_KNOWN     0
#define REGISTER_LIST_KEPT      0
#define REGISTER_LIST_ARGUMENTS 0
enum { STACK_POINTER = 0, KEPT_REGISTERS = 1, REGISTER_ARGUMENTS = 1 };
#endif

static inline unsigned kept_register(unsigned index)
{
    static const unsigned numbers[KEPT_REGISTERS] = {REGISTER_LIST_KEPT};
    return numbers[index];
}

#endif
