/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scopes by DWARF. The functions of libdw for this do not find procedures of Fortran modules, nor nested functions.
 */
#include "debug/debug.h"

#include <dwarf.h>

bool debug_next_sibling(Dwarf_Die *die)
{
    Dwarf_Die next;
    if (dwarf_siblingof(die, &next) != 0 || dwarf_dieoffset(&next) <= dwarf_dieoffset(die))
        return false;
    *die = next;
    return true;
}

static bool is_block(int tag)
{
    return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block ||
           tag == DW_TAG_with_stmt;
}

/* Scopes with functions inside, but without code. */
static bool is_surrounding(int tag)
{
    return tag == DW_TAG_module || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
           tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

static bool has_addresses(Dwarf_Die *die)
{
    return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

struct search {
    Dwarf_Addr address;
    bool in_all_functions;       /* not only in those that have the address: nested ones have code elsewhere */
    struct debug_scopes *scopes; /* outermost first */
};

static bool search_children(const struct search *search, Dwarf_Die *parent)
{
    struct debug_scopes *scopes = search->scopes;
    Dwarf_Die child;
    if (scopes->count == MOST_SCOPES || dwarf_child(parent, &child) != 0)
        return false;
    do {
        const int tag = dwarf_tag(&child);
        const bool is_code = is_block(tag) || tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
        const bool is_here = is_code && dwarf_haspc(&child, search->address) > 0;
        if (!is_here && !is_surrounding(tag) && !(is_block(tag) && !has_addresses(&child)) &&
            !(is_code && search->in_all_functions))
            continue;
        scopes->items[scopes->count++] = child;
        if (search_children(search, &child) || is_here)
            return true;
        scopes->count--;
    } while (debug_next_sibling(&child));
    return false;
}

static void reverse(struct debug_scopes *scopes)
{
    for (size_t i = 0; i < scopes->count / 2; i++) {
        const Dwarf_Die other = scopes->items[i];
        scopes->items[i] = scopes->items[scopes->count - 1 - i];
        scopes->items[scopes->count - 1 - i] = other;
    }
}

void debug_scopes_of_code(Dwarf_Die *unit, Dwarf_Addr address, struct debug_scopes *ret_scopes)
{
    struct search search = {.address = address, .scopes = ret_scopes};
    ret_scopes->count = 0;
    if (!search_children(&search, unit)) {
        search.in_all_functions = true;
        search_children(&search, unit);
    }
    reverse(ret_scopes);
}

bool debug_find_parent(Dwarf_Die *die, Dwarf_Die *ret_parent)
{
    const Dwarf_Off wanted = dwarf_dieoffset(die);
    Dwarf_Die at, child;
    bool found = false;
    if (dwarf_diecu(die, &at, NULL, NULL) == NULL)
        return false;
    for (int depth = 0; depth < MOST_SCOPES && dwarf_child(&at, &child) == 0; depth++) {
        /* Children stand between their parent and its next sibling. */
        for (Dwarf_Die next = child; debug_next_sibling(&next) && dwarf_dieoffset(&next) <= wanted;)
            child = next;
        if (dwarf_dieoffset(&child) == wanted)
            return found;
        if (is_surrounding(dwarf_tag(&child)) || dwarf_tag(&child) == DW_TAG_subprogram) {
            *ret_parent = child;
            found = true;
        }
        at = child;
    }
    return false;
}
