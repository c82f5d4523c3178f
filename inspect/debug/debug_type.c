/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Searches compiled files for types.
 */
#include "debug/debug.h"

#include <dwarf.h>
#include <limits.h>
#include <string.h>

/* Typedefs of typedefs are followed so far. */
enum { MOST_STEPS = 32 };

static bool is_type(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    switch (dwarf_tag(die)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
        return !dwarf_hasattr_integrate(die, DW_AT_declaration);
    case DW_TAG_typedef:
        return dwarf_attr(die, DW_AT_type, &attribute) != NULL;
    case DW_TAG_base_type:
        return true;
    default:
        return false;
    }
}

static bool search_unit(Dwarf_Die *unit, const char *name, Dwarf_Die *ret_type)
{
    Dwarf_Die die;
    if (dwarf_child(unit, &die) != 0)
        return false;
    do {
        const char *own = is_type(&die) ? dwarf_diename(&die) : NULL;
        if (own != NULL && strcmp(own, name) == 0) {
            *ret_type = die;
            return true;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

struct type_search {
    const char *program;
    const char *name;
    Dwarf_Die type;
    bool is_found;
};

static int search_module(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr start, void *argument)
{
    struct type_search *search = argument;
    Dwarf_Addr bias;
    (void)user_data;
    (void)start;
    if (!is_mpi_module(name) && (search->program == NULL || strcmp(name, search->program) != 0))
        return DWARF_CB_OK;
    for (Dwarf_Die *unit = NULL; !search->is_found && (unit = dwfl_module_nextcu(module, unit, &bias)) != NULL;)
        search->is_found = search_unit(unit, search->name, &search->type);
    return search->is_found ? DWARF_CB_ABORT : DWARF_CB_OK;
}

bool debug_find_type(Dwfl *dwfl, const char *program, const char *name, Dwarf_Die *ret_type)
{
    struct type_search search = {.program = program, .name = name};
    if (dwfl != NULL)
        dwfl_getmodules(dwfl, search_module, &search, 0);
    if (search.is_found)
        *ret_type = search.type;
    return search.is_found;
}

/* The type behind typedefs and qualifiers. */
static Dwarf_Die peel(const Dwarf_Die *type)
{
    Dwarf_Die die = *type;
    for (int i = 0; i < MOST_STEPS; i++) {
        const int tag = dwarf_tag(&die);
        Dwarf_Attribute attribute;
        Dwarf_Die next;
        if ((tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type) ||
            dwarf_formref_die(dwarf_attr(&die, DW_AT_type, &attribute), &next) == NULL)
            break;
        die = next;
    }
    return die;
}

int debug_field_offset(const Dwarf_Die *type, const char *name)
{
    Dwarf_Die die = peel(type), member;
    if (dwarf_child(&die, &member) != 0)
        return -1;
    do {
        const char *own = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
        Dwarf_Attribute attribute;
        Dwarf_Word offset;
        if (own == NULL || strcmp(own, name) != 0)
            continue;
        if (dwarf_attr(&member, DW_AT_data_member_location, &attribute) == NULL)
            return 0; /* of a union */
        return dwarf_formudata(&attribute, &offset) == 0 && offset <= INT_MAX ? (int)offset : -1;
    } while (dwarf_siblingof(&member, &member) == 0);
    return -1;
}

int debug_type_size(const Dwarf_Die *type)
{
    Dwarf_Die die = peel(type);
    Dwarf_Word bytes;
    return dwarf_aggregate_size(&die, &bytes) == 0 && bytes <= INT_MAX ? (int)bytes : -1;
}
