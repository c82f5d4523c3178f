/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds a variable: in the frames of the main thread's stack, then among all that have an address of their own.
 */
#include "variable/variable_find.h"

#include "base/file_name.h"
#include "debug/system_module.h"
#include "target/target_kinds.h"
#include "variable/variable_search.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum search_level search_level_of(Dwfl_Module *module)
{
    const char *name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    return is_program_module(name) ? SEARCH_PROGRAM : is_system_module(name) ? SEARCH_SYSTEM : SEARCH_LIBRARIES;
}

/* By the unit that has the name: what is optimized at link time is in units of no language. */
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
        (number == 0 && version < 5) || dwarf_getsrcfiles(&unit, &files, NULL) != 0)
        return NULL;
    return dwarf_filesrc(files, number, NULL, NULL);
}

bool search_is_in_scope(const struct variable_search *search, Dwarf_Die *variable, bool is_around)
{
    const char *scope = search->name->scope;
    const char *file = search_declaration_file(variable);
    return scope[0] == '\0' || is_around || (file != NULL && strcmp(file_name(file), scope) == 0);
}

/* What the program has, but not here, is not looked for in the system. */
static bool has_ended(const struct variable_search *search)
{
    return search->found_count > 0 || search->is_without_location || search->is_of_another_function;
}

static void search_everywhere(struct variable_search *search, bool is_stopped)
{
    search_stack(search, false, is_stopped);
    if (search->found_count == 0)
        search_static(search, SEARCH_PROGRAM);
    if (search->found_count == 0)
        search_static(search, SEARCH_LIBRARIES);
    if (!has_ended(search))
        search_stack(search, true, is_stopped);
    if (!has_ended(search))
        search_static(search, SEARCH_SYSTEM);
}

int program_variable_find(struct target *target, const char *text, bool is_stopped,
                          struct program_variable *ret_variable, struct reason *ret_reason)
{
    struct program_name name;
    if (target->dwfl == NULL)
        return reason_set(ret_reason,
                          "a snapshot has no variables of the program: give the value of the handle, or ask "
                          "the process or a core file");
    if (program_name_parse(text, &name, ret_reason) != 0)
        return -1;
    struct variable_search search = {.target = target, .name = &name};
    search_everywhere(&search, is_stopped);
    if (search.found_count > 1)
        return reason_set(ret_reason, "there are several variables %s, name the file or function too: FILE::%s (%s)",
                          name.name, name.name, search.others);
    if (search.found_count == 0 && search.is_without_location)
        return reason_set(
            ret_reason,
            "the variable %s was optimized away here or stands where it cannot be read: give its kind and "
            "value, or compile with -O0",
            name.name);
    if (search.found_count == 0 && search.is_of_another_function)
        return reason_set(ret_reason,
                          "there is no variable %s in the functions of the main thread's stack, but in others: they "
                          "have not been called now",
                          name.name);
    if (search.found_count == 0)
        return reason_set(ret_reason,
                          "there is no predefined handle and no variable %s in the stack or among the global ones: is "
                          "the program compiled with -g?",
                          name.name);
    if (program_place_follow(&search.found, &name, ret_reason) != 0 ||
        program_place_read(&search.found, text, ret_variable, ret_reason) != 0)
        return -1;
    snprintf(ret_variable->place, sizeof ret_variable->place, "%s", search.place);
    return 0;
}
