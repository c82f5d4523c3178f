/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What libdw may unpack and expand: whoever has made a file may have made it so that this takes all memory.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_BOUNDS_H
#define MPILENS_INSPECT_DEBUG_DEBUG_BOUNDS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* Whether the compressed sections of the file are said to unpack to a gigabyte and to 16 times what they take there, at
 * most: those that compilers make do so to 2 to 6 times. */
bool debug_sections_are_bounded(Elf *elf);
/* Whether .gnu_debugdata, with the symbols of a stripped file, unpacks to 32 MB and to 16 times what it takes there, at
 * most, and has no sections that are not bounded. If not, libdwfl will find it empty. What was seen is kept in `elf`.
 */
bool debug_symbols_are_bounded(Elf *elf);
/* As dwfl_module_addrinfo(), which unpacks such symbols whatever comes out. */
const char *debug_symbol_at(Dwfl_Module *module, GElf_Addr address, GElf_Off *ret_offset, GElf_Sym *ret_symbol);

/* "program.debug is damaged, too large or packed more densely than compilers do, and is not read". The caller frees it.
 */
char *debug_explain_density(const char *what);

/* Whether the line program of the unit (DWARF 5, 6.2), which may make a row of each of its bytes, is at most a megabyte
 * long; those of large source files have some hundred thousand. */
bool debug_lines_are_bounded(Dwarf_Die *unit);

#endif
