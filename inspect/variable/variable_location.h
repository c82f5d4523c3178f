/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The addresses of variables: DWARF expressions, evaluated for a frame of the stack or for none.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_LOCATION_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_LOCATION_H

#include "target/target.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* What an expression may refer to. */
struct location_context {
    struct target *target;
    Dwfl_Module *module;
    Dwarf_Addr bias;     /* of addresses in debug information */
    Dwfl_Frame *frame;   /* NULL: none, static variables only */
    Dwarf_Addr pc;       /* in it, without bias added */
    Dwarf_Die *function; /* the one of the frame; NULL: none */
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

#endif
