/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which unit of the source code is from, by DWARF.
 */
#include "target_kinds.h"

Dwarf_Die *target_find_unit(Dwfl_Module *module, uint64_t address, Dwarf_Addr *ret_bias)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
    /* Clang writes no table of the addresses of units, and that is all that elfutils before 0.191 looks at. */
    if (unit == NULL && dwfl_module_getdwarf(module, &bias) != NULL)
        do
            unit = dwfl_module_nextcu(module, unit, &bias);
        while (unit != NULL && dwarf_haspc(unit, address - bias) <= 0);
    if (unit != NULL)
        *ret_bias = bias;
    return unit;
}
