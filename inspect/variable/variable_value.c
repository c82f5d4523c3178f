/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the value of a variable, and names its type.
 */
#include "variable/variable_internal.h"

#include "handle/handle.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Types of types. */
enum { MOST_DEPTH = 16 };

uint32_t handle_kind_of_type(const char *type)
{
    uint32_t kind;
    return strncasecmp(type, "mpi_", 4) == 0 && handle_parse_kind(type, &kind) ? kind : MPILENS_OBJECT_NONE;
}

/* The name under which mpi.h has the type, or the first name that it has. */
static bool name_type(Dwarf_Die *type, char *ret_name, size_t bytes)
{
    Dwarf_Die at = *type;
    ret_name[0] = '\0';
    for (int i = 0; i < MOST_DEPTH; i++) {
        const char *name = dwarf_diename(&at);
        const bool is_handle = name != NULL && handle_kind_of_type(name) != MPILENS_OBJECT_NONE;
        if (name != NULL && (is_handle || ret_name[0] == '\0'))
            snprintf(ret_name, bytes, "%s", name);
        if (is_handle)
            return true;
        const int tag = dwarf_tag(&at);
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
            tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type)
            return false;
        if (!place_type_of(&at, &at))
            return false;
    }
    return false;
}

static bool is_typedef_of(Dwarf_Die *type, const char *wanted)
{
    const char *name = dwarf_tag(type) == DW_TAG_typedef ? dwarf_diename(type) : NULL;
    return name != NULL && strcmp(name, wanted) == 0;
}

int program_place_read(const struct program_place *found, const char *text, struct program_variable *ret_variable,
                       struct reason *ret_reason)
{
    struct program_place place = *found;
    struct program_variable variable = {.address = place.location.is_value ? 0 : place.location.number};
    Dwarf_Die type;
    bool is_handle = name_type(&place.type, variable.type, sizeof variable.type);
    if (!place_peel(&place.type, &type))
        return reason_set(ret_reason, "the type of %s is not known", text);
    Dwarf_Die behind;
    char inner[sizeof variable.type];
    if (!is_handle && place_is_pointer(&type) && place_type_of(&type, &behind) &&
        name_type(&behind, inner, sizeof inner) && place_dereference(&place)) { /* a pointer to a handle */
        memcpy(variable.type, inner, sizeof inner);
        is_handle = true;
        variable.address = place.location.number;
        if (!place_peel(&place.type, &type))
            return reason_set(ret_reason, "the type of %s is not known", text);
    }
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_array_type && strcasecmp(variable.type, "mpi_status") != 0) {
        const char *element = place_type_of(&type, &behind) && name_type(&behind, inner, sizeof inner) ? inner : "";
        if (!place.is_fortran || element[0] != '\0')
            return reason_set(ret_reason, "%s is an array%s%s: name an element, such as %s%s", text,
                              element[0] != '\0' ? " of " : "", element, text, place.is_fortran ? "(1)" : "[0]");
        snprintf(variable.type, sizeof variable.type, "array"); /* INTEGER status(MPI_STATUS_SIZE) */
        variable.is_fortran = true;
        *ret_variable = variable;
        return 0;
    }
    if ((tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type) && !is_handle)
        return reason_set(ret_reason, "%s is a struct: name a member, such as %s%sname", text, text,
                          place.is_fortran ? "%" : ".");
    Dwarf_Word bytes = 0;
    if (dwarf_aggregate_size(&type, &bytes) != 0)
        return reason_set(ret_reason, "the type of %s is not known", text);
    const bool is_structure = tag == DW_TAG_structure_type;
    variable.is_fortran = place.is_fortran || is_typedef_of(&place.type, "MPI_Fint");
    variable.bytes = is_structure && strcasecmp(variable.type, "mpi_status") != 0 ? 4 : bytes; /* MPI_VAL */
    if (variable.bytes <= 8 && !place_read_integer(&place, variable.bytes, &variable.value))
        return reason_set(ret_reason, "%s cannot be read", text);
    if (variable.bytes == 4 && variable.is_fortran)
        variable.value = (uint64_t)(int64_t)(int32_t)(uint32_t)variable.value;
    *ret_variable = variable;
    return 0;
}
