/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What libdw may unpack and expand: whoever has made a file may have made it so that this takes all memory.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_BOUNDS_H
#define MPILENS_INSPECT_DEBUG_DEBUG_BOUNDS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Whether the compressed sections of the file are said to unpack to a gigabyte and to 16 times what they take there, at
 * most: those that compilers make do so to 2 to 6 times. */
bool debug_sections_are_bounded(Elf *elf);
/* "program.debug is packed more densely than compilers do, and is not read". The caller frees it. */
char *debug_explain_density(const char *what);

/* Whether the line program of the unit (DWARF 5, 6.2), which may make a row of each of its bytes, is at most a megabyte
 * long; those of large source files have some hundred thousand. */
bool debug_lines_are_bounded(Dwarf_Die *unit);

#endif
