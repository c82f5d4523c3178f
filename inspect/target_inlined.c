/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inlined functions, by DWARF.
 */
#include "target.h"

#include "target_kinds.h"

#include <dwarf.h>
#include <stdlib.h>

/* The scopes around the code at `address`, innermost first; the caller frees them. */
static int scopes_of_code(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **ret_scopes)
{
    Dwarf_Die *innermost = NULL;
    if (dwarf_getscopes(unit, address, &innermost) <= 0)
        return 0;
    /* From an inlined function on they are those of its source; wanted are those that it was put into. */
    const int count = dwarf_getscopes_die(innermost, ret_scopes);
    free(innermost);
    return count > 0 ? count : 0;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    return dwarf_formudata(dwarf_attr(die, name, &attribute), &number) == 0 ? number : 0;
}

size_t target_find_inlined(struct target *target, uint64_t address, struct target_inlined *ret_inlined, size_t most)
{
    Dwarf_Addr bias = 0;
    Dwfl_Module *module = target->dwfl != NULL ? dwfl_addrmodule(target->dwfl, address) : NULL;
    Dwarf_Die *unit = module != NULL ? target_find_unit(module, address, &bias) : NULL;
    Dwarf_Die *scopes = NULL;
    Dwarf_Files *files = NULL;
    size_t file_count = 0, found = 0;
    const int count = unit != NULL ? scopes_of_code(unit, address - bias, &scopes) : 0;
    if (count > 0 && dwarf_getsrcfiles(unit, &files, &file_count) != 0)
        files = NULL;
    for (int i = 0; i < count && found < most && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++) {
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
            continue;
        const size_t file = (size_t)number_of(&scopes[i], DW_AT_call_file);
        ret_inlined[found++] = (struct target_inlined){
            .function = dwarf_diename(&scopes[i]),
            .path = files != NULL && file < file_count ? dwarf_filesrc(files, file, NULL, NULL) : NULL,
            .line = (int)number_of(&scopes[i], DW_AT_call_line),
        };
    }
    free(scopes);
    return found;
}
