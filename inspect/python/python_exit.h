/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The exit status of a Python program whose interpreter has shut down, while its process still waits for something
 * else, such as MPI_Finalize.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_EXIT_H
#define MPILENS_INSPECT_PYTHON_PYTHON_EXIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target;

/* Where Py_RunMain goes on at `address` with its stack pointer there: what it will return. False: not known, as on
 * other machines than x86-64, or where its code is none that is known. */
bool python_find_exit_status(struct target *target, uint64_t address, uint64_t stack_pointer, int *ret_status);

/* Where code that ends with its function's return takes its value of 32 bits from: so many bytes above the stack
 * pointer. */
bool python_find_returned(const unsigned char *code, size_t bytes, uint32_t *ret_offset);

#endif
