/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exceptions of Python in words.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_EXCEPTION_H
#define MPILENS_INSPECT_PYTHON_PYTHON_EXCEPTION_H

#include "python/python_memory.h"

/* "ValueError: no such cell, raised in exchange (solver.py:41)", as much of it as can be read. NULL: it is no
 * exception. The caller frees it. */
char *python_describe_exception(struct python_memory *memory, uint64_t exception);

#endif
