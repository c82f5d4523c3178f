/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The unit of debug information that code is from.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_UNIT_H
#define MPILENS_INSPECT_TARGET_TARGET_UNIT_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/* The unit that the code at `address` is from; NULL: not known. */
Dwarf_Die *target_find_unit(Dwfl_Module *module, uint64_t address, Dwarf_Addr *ret_bias);
/* What has the functions and variables of the unit: itself or, where they stand in a file of their own (-gsplit-dwarf),
 * a unit of that. False: there is no such file. */
bool target_find_content(Dwfl_Module *module, Dwarf_Die *unit, Dwarf_Die *ret_content);

#endif
