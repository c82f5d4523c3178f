/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What stands around code, or around a declaration, in debug information.
 */
#ifndef MPILENS_INSPECT_DEBUG_DEBUG_SCOPES_H
#define MPILENS_INSPECT_DEBUG_DEBUG_SCOPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

/* Deeper nesting is not followed. */
enum { MOST_SCOPES = 64 };

/* Innermost first, without the unit. */
struct debug_scopes {
    Dwarf_Die items[MOST_SCOPES];
    size_t count; /* 0: none, or not known */
};

/* Of the code at `address` (without bias): blocks, functions that were inlined there and the blocks around them, the
 * function that they were inlined into, and what that is declared in: functions, types, modules, namespaces. `unit` has
 * the functions themselves (target_find_content). */
void debug_scopes_of_code(Dwarf_Die *unit, Dwarf_Addr address, struct debug_scopes *ret_scopes);

/* The nearest type, module, namespace or function that it is declared in. False: there is none, or it is not known. */
bool debug_find_parent(Dwarf_Die *die, Dwarf_Die *ret_parent);

/* Goes to the next one of the same parent. False: that was the last. Those of damaged files end, too. */
bool debug_next_sibling(Dwarf_Die *die);

#endif
