/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests whether a variable is meant by a search: by name, file and language.
 */
#include "variable/variable_internal.h"

#include "base/base.h"
#include "debug/debug.h"

#include <string.h>
#include <strings.h>

enum search_level search_level_of(Dwfl_Module *module)
{
    const char *name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    return is_program_module(name) ? SEARCH_PROGRAM : is_system_module(name) ? SEARCH_SYSTEM : SEARCH_LIBRARIES;
}

bool search_is_called(Dwarf_Die *die, const char *wanted)
{
    const char *name = dwarf_diename(die);
    return name != NULL && strcasecmp(name, wanted) == 0 && (strcmp(name, wanted) == 0 || debug_is_of_fortran(die));
}

bool search_is_in_scope(const struct variable_search *search, Dwarf_Die *variable, bool is_around)
{
    const char *scope = search->name->scope;
    const char *file = debug_declaration_file(variable);
    return scope[0] == '\0' || is_around || (file != NULL && strcmp(file_name(file), scope) == 0);
}
