/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds variables with an address of their own.
 */
#include "variable/variable_internal.h"

#include "base/base.h"
#include "debug/debug.h"
#include "target/target_kinds.h"
#include "target/target_unit.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

/* How deep blocks, modules and functions nest. */
enum { MOST_DEPTH = 32 };

/* Whether it is there only while its function runs. */
static bool is_of_a_frame(Dwarf_Die *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (dwarf_attr_integrate(variable, DW_AT_location, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0)
        return true; /* a list of places by program counter */
    const unsigned atom = operations[0].atom;
    return atom == DW_OP_fbreg || (atom >= DW_OP_reg0 && atom <= DW_OP_bregx);
}

static void note(struct variable_search *search, const struct location_context *context, Dwarf_Die *variable)
{
    struct program_place place;
    int line = 0;
    if (!program_place_of(context, variable, debug_is_of_fortran(variable), &place)) {
        if (is_of_a_frame(variable))
            search->is_of_another_function = true;
        else
            search->is_without_location = true;
        return;
    }
    const bool is_global = dwarf_hasattr_integrate(variable, DW_AT_external);
    if (place.location.is_value || (search->found_count > 0 && place.location.number == search->found.location.number))
        return;
    const char *file = debug_declaration_file(variable);
    dwarf_decl_line(variable, &line);
    const size_t length = strlen(search->others);
    snprintf(search->others + length, sizeof search->others - length, "%s%s:%d", length > 0 ? ", " : "",
             file != NULL ? file_name(file) : "?", line);
    if (search->found_count > 0 && search->is_global && !is_global)
        return; /* a static one of some file does not hide the global one */
    if (search->found_count > 0 && is_global && !search->is_global)
        search->found_count = 0;
    search->found_count++;
    search->found = place;
    search->is_global = is_global;
    snprintf(search->place, sizeof search->place, "declared at %s:%d", file != NULL ? file_name(file) : "?", line);
}

static bool is_defined_outside_functions(Dwarf_Die *parent, Dwarf_Die *variable)
{
    const int tag = dwarf_tag(parent);
    return (tag == DW_TAG_compile_unit || tag == DW_TAG_namespace || tag == DW_TAG_module) &&
           !dwarf_hasattr_integrate(variable, DW_AT_declaration);
}

static void search_tree(struct variable_search *search, const struct location_context *context, Dwarf_Die *parent,
                        bool is_around, int depth)
{
    Dwarf_Die child;
    if (depth == 0 || dwarf_child(parent, &child) != 0)
        return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
            if (!search_is_called(&child, search->name->name) || !search_is_in_scope(search, &child, is_around))
                break;
            if (dwarf_hasattr_integrate(&child, DW_AT_location))
                note(search, context, &child);
            else if (is_defined_outside_functions(parent, &child))
                search->is_without_location = true;
            break;
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_lexical_block:
        case DW_TAG_module:
        case DW_TAG_namespace:
        case DW_TAG_common_block:
            search_tree(search, context, &child, is_around || search_is_called(&child, search->name->scope), depth - 1);
            break;
        }
    } while (debug_next_sibling(&child));
}

struct module_search {
    struct variable_search *search;
    enum search_level level;
};

static int search_module(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr start, void *argument)
{
    const struct module_search *modules = argument;
    Dwarf_Addr bias = 0;
    (void)user_data;
    (void)start;
    if (strncmp(file_name(name), "libmpilens-", strlen("libmpilens-")) == 0 ||
        search_level_of(module) != modules->level || debug_file_of(module, &bias) == NULL)
        return DWARF_CB_OK;
    for (Dwarf_Die *unit = dwfl_module_nextcu(module, NULL, &bias); unit != NULL;
         unit = dwfl_module_nextcu(module, unit, &bias)) {
        const struct location_context context = {.target = modules->search->target, .module = module, .bias = bias};
        Dwarf_Die content;
        if (target_find_content(module, unit, &content))
            search_tree(modules->search, &context, &content, false, MOST_DEPTH);
    }
    return DWARF_CB_OK;
}

void search_static(struct variable_search *search, enum search_level level)
{
    struct module_search modules = {.search = search, .level = level};
    dwfl_getmodules(search->target->dwfl, search_module, &modules, 0);
}
