/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A variable, or a part of one, with its type: from the whole to the member or element that the user has named.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_PLACE_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_PLACE_H

#include "variable/variable_find.h"
#include "variable/variable_location.h"
#include "variable/variable_name.h"

struct program_place {
    struct location_context context; /* of the module; without a frame once the variable is found */
    Dwarf_Die type;
    struct location location;
    bool is_fortran;
};

/* The place of a variable that was found; false: it has no location or type here. */
bool program_place_of(const struct location_context *context, Dwarf_Die *variable, bool is_fortran,
                      struct program_place *ret_place);

/* Goes on to the part that is named. 0, or -1 and a reason. */
int program_place_follow(struct program_place *place, const struct program_name *name, struct reason *ret_reason);

/* For variable_place.c and variable_value.c only. */
bool place_type_of(Dwarf_Die *die, Dwarf_Die *ret_type);
/* The type without its names and qualifiers. */
bool place_peel(Dwarf_Die *type, Dwarf_Die *ret_type);
bool place_is_pointer(Dwarf_Die *type);
/* The content of a pointer, or another integer of up to eight bytes. */
bool place_read_integer(const struct program_place *place, size_t bytes, uint64_t *ret_value);
/* Goes to what a pointer points to. False: it is no pointer, points nowhere or cannot be read. */
bool place_dereference(struct program_place *place);

#endif
