/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads function names from DWARF.
 */
#include "debug/debug.h"

#include "base/base.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* References from one description to another, and what functions are declared in. */
enum { MOST_REFERENCES = 16, MOST_DEPTH = 16 };

/* From the code to the declaration, which stands where its name is valid. */
static Dwarf_Die find_declaration(const Dwarf_Die *die)
{
    Dwarf_Die declaration = *die;
    for (int i = 0; i < MOST_REFERENCES; i++) {
        Dwarf_Attribute attribute;
        Dwarf_Die next;
        if (dwarf_attr(&declaration, DW_AT_abstract_origin, &attribute) == NULL &&
            dwarf_attr(&declaration, DW_AT_specification, &attribute) == NULL)
            break;
        if (dwarf_formref_die(&attribute, &next) == NULL)
            break;
        declaration = next;
    }
    return declaration;
}

static bool is_lambda(Dwarf_Die *die)
{
    const int tag = dwarf_tag(die);
    const char *name = dwarf_diename(die);
    return (tag == DW_TAG_class_type || tag == DW_TAG_structure_type) &&
           (name == NULL || strncmp(name, "<lambda", strlen("<lambda")) == 0);
}

static const char *own_name(Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    if (is_lambda(die))
        return "{lambda}";
    return name != NULL ? name : dwarf_tag(die) == DW_TAG_namespace ? "(anonymous namespace)" : "?";
}

/* Whether the compiler has made the function of a part of its parent, such as main._omp_fn.0 in main. */
static bool is_part_of(Dwarf_Die *part, Dwarf_Die *parent)
{
    const char *name = dwarf_diename(part), *whole = dwarf_diename(parent);
    const size_t length = whole != NULL ? strlen(whole) : 0;
    return name != NULL && length > 0 && strncmp(name, whole, length) == 0 && name[length] == '.';
}

static void write_name(FILE *stream, const Dwarf_Die *die, int depth)
{
    Dwarf_Die declaration = find_declaration(die);
    Dwarf_Die parent;
    const bool has_parent = depth > 0 && debug_find_parent(&declaration, &parent) && !is_part_of(&declaration, &parent);
    if (has_parent)
        write_name(stream, &parent, depth - 1);
    if (!has_parent || !is_lambda(&parent)) /* the function of a lambda has no name of its own */
        fprintf(stream, "%s%s", has_parent ? "::" : "", own_name(&declaration));
}

char *debug_function_name(Dwarf_Die *function)
{
    char *text;
    if (dwarf_diename(function) == NULL)
        return NULL;
    FILE *stream = open_text(&text);
    write_name(stream, function, MOST_DEPTH);
    fclose(stream);
    return text;
}
