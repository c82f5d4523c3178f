/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of a search for a variable: the name, and the matches so far. For variable_*.c only.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_SEARCH_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_SEARCH_H

#include "variable/variable_name.h"
#include "variable/variable_place.h"

#include <stdbool.h>

/* Which files are searched, in this order: what is called the same in the system or in MPI is not meant. */
enum search_level { SEARCH_PROGRAM, SEARCH_LIBRARIES, SEARCH_SYSTEM };

struct variable_search {
    struct target *target;
    const struct program_name *name;
    struct program_place found;
    size_t found_count;
    char place[128];  /* of the one that was found */
    char others[256]; /* where else one is */
    bool is_global;   /* the one that was found */
    bool is_without_location;
    bool is_of_another_function; /* one that is not in the stack */
};

enum search_level search_level_of(Dwfl_Module *module);

/* Fortran's names are the same in upper and lower case. */
bool search_is_of_fortran(Dwarf_Die *die);
bool search_is_called(Dwarf_Die *die, const char *wanted);
/* Whether the user's scope, if there is one, is the file of the declaration or one of the names around it. */
bool search_is_in_scope(const struct variable_search *search, Dwarf_Die *variable, bool is_around);
/* NULL: not known. */
const char *search_declaration_file(Dwarf_Die *variable);

#endif
