/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of variable/ only.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_INTERNAL_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_INTERNAL_H

#include "base/base.h"
#include "target/target.h"
#include "variable/variable.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- variable_location.c --
 * The addresses of variables: DWARF expressions, evaluated for a frame of the stack or for none.
 */

/* The context of an expression. */
struct location_context {
    struct target *target;
    Dwfl_Module *module;
    Dwarf_Addr bias;     /* of addresses in debug information */
    Dwfl_Frame *frame;   /* NULL: none, static variables only */
    Dwarf_Addr pc;       /* in it, without bias added */
    Dwarf_Die *function; /* the frame's function; NULL: none */
    uint64_t object;     /* address of the array or struct that the expression belongs to */
};

/* A variable, or a part of one. */
struct location {
    bool is_value; /* it stands in no memory: `number` is its value, else its address */
    uint64_t number;
};

/* The location that this attribute (DW_AT_location, DW_AT_data_location, DW_AT_upper_bound, ...) gives. False: there is
 * none, as of variables that were optimized away, or it uses what is not evaluated here (entry values, parts in several
 * places, thread-local memory). */
bool location_evaluate(const struct location_context *context, Dwarf_Die *die, unsigned attribute,
                       struct location *ret_location);

/* -- variable_name.c --
 * A variable as the user writes it, in parts.
 */

enum { MOST_STEPS = 16, MOST_INDICES = 8, MOST_NAME = 128 };

/* A member, or an element. */
struct program_step {
    char member[MOST_NAME]; /* empty: an element */
    int64_t indices[MOST_INDICES];
    size_t index_count;
};

struct program_name {
    unsigned dereferences;
    char scope[MOST_NAME]; /* file, function or module; empty: any */
    char name[MOST_NAME];
    struct program_step steps[MOST_STEPS];
    size_t step_count;
};

/* 0, or -1 and a reason. */
int program_name_parse(const char *text, struct program_name *ret_name, struct reason *ret_reason);

/* -- variable_place.c --
 * A variable, or a part of one, with its type: from the whole to the member or element that the user has named.
 */

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

/* -- variable_search.c --
 * The state of a search for a variable: the name, and the matches so far. For variable_*.c only.
 */

/* Order in which files are searched: equal names in the system or in MPI are not meant. */
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
bool search_is_called(Dwarf_Die *die, const char *wanted);
/* Whether the user's scope, if there is one, is the file of the declaration or one of the names around it. */
bool search_is_in_scope(const struct variable_search *search, Dwarf_Die *variable, bool is_around);

/* -- variable_stack.c --
 * The search for a variable in the frames of the main thread.
 */

/* Searches frames of the main thread's stack, innermost first: the system's, or all others. */
void search_stack(struct variable_search *search, bool in_system, bool is_stopped);

/* -- variable_static.c --
 * The search for a variable among those with an address of their own.
 */

/* Among those with an address of their own. */
void search_static(struct variable_search *search, enum search_level level);

/* -- variable_value.c --
 * The value of a variable.
 */

/* Reads what stands there. 0, or -1 and a reason. */
int program_place_read(const struct program_place *found, const char *text, struct program_variable *ret_variable,
                       struct reason *ret_reason);

/* The kind of handle that a type of this name is of (enum mpilens_object_kind); MPILENS_OBJECT_NONE: none. */
uint32_t handle_kind_of_type(const char *type);

#endif
