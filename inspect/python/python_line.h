/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of lines, as CPython's compiler writes them for each code object.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_LINE_H
#define MPILENS_INSPECT_PYTHON_PYTHON_LINE_H

#include <stddef.h>
#include <stdint.h>

/* The line of the instruction that stands so many bytes behind the first one, which is negative before the first;
 * `minor`: of version 3.minor. 0: it has none, or the table is damaged. */
int python_line(uint32_t minor, const unsigned char *table, size_t bytes, int first_line, int64_t instruction);

#endif
