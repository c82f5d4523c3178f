/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where things are declared, and in which language.
 */
#include "debug/debug.h"

#include <dwarf.h>
#include <string.h>

/* DWARF's list of languages, after version 5: not all libdw know them. */
enum { FORTRAN_2018 = 0x2d, FORTRAN_2023 = 0x3f };

bool debug_is_of_fortran(Dwarf_Die *die)
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
    case FORTRAN_2018:
    case FORTRAN_2023:
        return true;
    default:
        return false;
    }
}

/* dwarf_decl_file() takes the number 0 for no file, in DWARF 5, too, where it is the first. */
const char *debug_declaration_file(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    Dwarf_Half version;
    Dwarf_Die unit;
    Dwarf_Files *files;
    if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &number) != 0 ||
        dwarf_cu_info(attribute.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
        (number == 0 && version < 5) || !debug_lines_are_bounded(&unit) || dwarf_getsrcfiles(&unit, &files, NULL) != 0)
        return NULL;
    return dwarf_filesrc(files, number, NULL, NULL);
}

/* The function of C that calls the program of Fortran, and is told to be where that begins. */
static bool is_main(Dwarf_Die *procedure)
{
    const char *name = dwarf_diename(procedure);
    Dwarf_Attribute type;
    return name != NULL && strcmp(name, "main") == 0 && dwarf_attr_integrate(procedure, DW_AT_type, &type) != NULL;
}

bool debug_is_first_line(Dwarf_Die *procedure, const char *path, int line)
{
    int first;
    if (dwarf_decl_line(procedure, &first) != 0 || first != line || !debug_is_of_fortran(procedure) ||
        is_main(procedure))
        return false;
    const char *file = debug_declaration_file(procedure);
    return file != NULL && strcmp(file, path) == 0;
}
