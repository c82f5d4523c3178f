/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests whether a variable is meant by a search: by name, file and language.
 */
#include "variable/variable_internal.h"

#include "base/base.h"
#include "debug/debug.h"

#include <dwarf.h>
#include <string.h>
#include <strings.h>

enum search_level search_level_of(Dwfl_Module *module)
{
    const char *name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    return is_program_module(name) ? SEARCH_PROGRAM : is_system_module(name) ? SEARCH_SYSTEM : SEARCH_LIBRARIES;
}

/* By the unit that has the name: units that are optimized at link time have no language. */
bool search_is_of_fortran(Dwarf_Die *die)
{
    Dwarf_Attribute name;
    Dwarf_Die unit;
    if (dwarf_attr_integrate(die, DW_AT_name, &name) == NULL ||
        dwarf_cu_die(name.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) == NULL)
        return false;
    switch (dwarf_srclang(&unit)) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
        return true;
    default:
        return false;
    }
}

bool search_is_called(Dwarf_Die *die, const char *wanted)
{
    const char *name = dwarf_diename(die);
    return name != NULL && strcasecmp(name, wanted) == 0 && (strcmp(name, wanted) == 0 || search_is_of_fortran(die));
}

/* dwarf_decl_file() takes the number 0 for no file, in DWARF 5, too, where it is the first. */
const char *search_declaration_file(Dwarf_Die *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    Dwarf_Half version;
    Dwarf_Die unit;
    Dwarf_Files *files;
    if (dwarf_formudata(dwarf_attr_integrate(variable, DW_AT_decl_file, &attribute), &number) != 0 ||
        dwarf_cu_info(attribute.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
        (number == 0 && version < 5) || !debug_lines_are_bounded(&unit) || dwarf_getsrcfiles(&unit, &files, NULL) != 0)
        return NULL;
    return dwarf_filesrc(files, number, NULL, NULL);
}

bool search_is_in_scope(const struct variable_search *search, Dwarf_Die *variable, bool is_around)
{
    const char *scope = search->name->scope;
    const char *file = search_declaration_file(variable);
    return scope[0] == '\0' || is_around || (file != NULL && strcmp(file_name(file), scope) == 0);
}
