/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types of C by name, out of debug information: what debugger libraries of MPI vendors ask for.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_TYPE_H
#define MPILENS_INSPECT_DEBUG_DEBUG_TYPE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* The first struct, union, enumeration, basic type or typedef of this name that a compiled file of the program or of an
 * MPI library defines. False: there is none. */
bool debug_find_type(Dwfl *dwfl, const char *program, const char *name, Dwarf_Die *ret_type);
/* Offset of a member in bytes; -1: the type has none of this name. */
int debug_field_offset(const Dwarf_Die *type, const char *name);
/* In bytes; -1: not known. */
int debug_type_size(const Dwarf_Die *type);

#endif
