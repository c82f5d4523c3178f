/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the source unit of code, by DWARF.
 */
#include "target/target_unit.h"

#include "base/base.h"
#include "debug/debug.h"
#include "target/target_internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

bool target_find_unit(struct target *target, uint64_t address, struct source_unit *ret_unit)
{
    uint64_t there;
    Dwarf_Addr bias = 0;
    Dwfl_Module *module = debug_sharing_find(target, address, &there);
    if (module == NULL || debug_file_of(module, &bias) == NULL)
        return false;
    debug_sharing_offer(target, address, module);
    Dwarf_Die *die = dwfl_module_addrdie(module, there, &bias);
    /* Clang writes no table of the addresses of units, and that is all that elfutils before 0.191 looks at. */
    if (die == NULL)
        do
            die = dwfl_module_nextcu(module, die, &bias);
        while (die != NULL && dwarf_haspc(die, there - bias) <= 0);
    if (die != NULL)
        *ret_unit = (struct source_unit){.module = module, .die = die, .bias = bias + (address - there)};
    return die != NULL;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

/* libdw looks for `name` in the directory of the file that it reads, and in `directory`, and opens what is there. */
static bool is_harmless(Dwfl_Module *module, const char *directory, const char *name)
{
    const char *files[2] = {NULL, NULL}; /* the module's own, and the one with its debug information */
    dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &files[0], &files[1]);
    bool is_harmless = debug_file_is_harmless(name);
    for (size_t i = 0; i < 2 && is_harmless && name[0] != '/'; i++) {
        char *real = files[i] != NULL ? realpath(files[i], NULL) : NULL;
        char *end = real != NULL ? strrchr(real, '/') : NULL;
        const int length = end != NULL ? (int)(end - real) : 0;
        char *beside = format_text("%.*s/%s", length, real != NULL ? real : "", name);
        char *inside =
            directory != NULL && directory[0] == '/'
                ? format_text("%s/%s", directory, name)
                : format_text("%.*s/%s/%s", length, real != NULL ? real : "", directory != NULL ? directory : "", name);
        is_harmless = debug_file_is_harmless(beside) && debug_file_is_harmless(inside);
        free(beside);
        free(inside);
        free(real);
    }
    return is_harmless;
}

bool target_find_content(Dwfl_Module *module, Dwarf_Die *unit, Dwarf_Die *ret_content)
{
    uint8_t kind;
    Dwarf_Die content;
    if (dwarf_cu_info(unit->cu, NULL, &kind, NULL, NULL, NULL, NULL, NULL) != 0)
        return false;
    if (kind != DW_UT_skeleton) {
        *ret_content = *unit;
        return true;
    }
    const char *name = text_of(unit, DW_AT_dwo_name);
    if (name == NULL)
        name = text_of(unit, DW_AT_GNU_dwo_name);
    if (name == NULL || !is_harmless(module, text_of(unit, DW_AT_comp_dir), name))
        return false;
    /* It may have become harmful since. */
    struct interruption interruption;
    interruption_begin(&interruption);
    const bool found =
        dwarf_cu_info(unit->cu, NULL, NULL, NULL, &content, NULL, NULL, NULL) == 0 && content.addr != NULL;
    interruption_end(&interruption);
    if (found)
        *ret_content = content;
    return found;
}
