/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The unit of debug information that code is from.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_UNIT_H
#define MPILENS_INSPECT_TARGET_TARGET_UNIT_H

#include "target/target.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

struct source_unit {
    Dwfl_Module *module; /* of the target, or of another one that has the same file */
    Dwarf_Die *die;
    Dwarf_Addr bias; /* of addresses in the target */
};

/* The unit that the code at `address` is from; valid until the target or the one that has the module is closed. False:
 * not known. */
bool target_find_unit(struct target *target, uint64_t address, struct source_unit *ret_unit);
/* The unit with the functions and variables: itself or, if they are in a file of their own (-gsplit-dwarf), a unit
 * there. False: there is no such file. */
bool target_find_content(Dwfl_Module *module, Dwarf_Die *unit, Dwarf_Die *ret_content);

#endif
