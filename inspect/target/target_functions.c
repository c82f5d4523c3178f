/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the function and line of code, by DWARF.
 */
#include "target/target_internal.h"

#include "base/base.h"
#include "debug/debug.h"
#include "target/target_kinds.h"
#include "target/target_unit.h"

#include <dwarf.h>
#include <stdlib.h>

static const char *keep(struct target *target, char *text)
{
    const char *kept = text != NULL ? text_pool_add(&target->names, text) : NULL;
    free(text);
    return kept;
}

const char *target_find_function(struct target *target, uint64_t address)
{
    struct target_place place = {0};
    if (target->kind->find_place != NULL)
        return target->kind->find_place(target, address, &place) ? place.function : NULL;
    uint64_t there;
    GElf_Off offset;
    GElf_Sym symbol;
    Dwfl_Module *module = debug_sharing_find(target, address, &there);
    const char *function = module != NULL ? debug_symbol_at(module, there, &offset, &symbol) : NULL;
    /* not just the nearest name of a stripped file */
    return function != NULL && symbol.st_size > offset ? keep(target, plain_symbol_name(function)) : NULL;
}

/* The debug information may be of another target, which is closed before. */
static const char *keep_path(struct target *target, const char *path)
{
    return path != NULL ? text_pool_add(&target->names, path) : NULL;
}

static void find_line(struct target *target, Dwarf_Die *unit, Dwarf_Addr address, struct target_place *ret_place)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    if (line == NULL)
        return;
    ret_place->path = keep_path(target, dwarf_linesrc(line, NULL, NULL));
    dwarf_lineno(line, &ret_place->line);
}

static void forget_wrong_line(struct target *target, Dwarf_Die *function, struct target_place *place)
{
    if (place->path == NULL || !debug_is_first_line(function, place->path, place->line))
        return;
    place->path = NULL;
    place->line = 0;
    place->hint = keep(target, format_text("the compiler has given calls in %s the line where their procedure begins: "
                                           "they are shown without a line",
                                           file_name(place->module)));
}

/* Where a function was inlined. */
static void find_call(struct target *target, Dwarf_Die *inlined, struct target_place *ret_place)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t file_count;
    ret_place->path = NULL;
    ret_place->line = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_diecu(inlined, &unit, NULL, NULL) == NULL || !debug_lines_are_bounded(&unit) ||
        dwarf_getsrcfiles(&unit, &files, &file_count) != 0 || file >= file_count)
        return;
    ret_place->path = keep_path(target, dwarf_filesrc(files, file, NULL, NULL));
    ret_place->line = (int)line;
}

static const char *find_hint(struct target *target, uint64_t address, const char *path)
{
    uint64_t there;
    return keep(target, debug_hint_of(debug_sharing_find(target, address, &there), path, target->kind->is_live));
}

size_t target_find_functions(struct target *target, uint64_t address, struct target_place *ret_places, size_t most)
{
    if (target->kind->find_place != NULL)
        return target->kind->find_place(target, address, ret_places) ? 1 : 0;
    if (!target_find_module(target, address, ret_places))
        return 0;
    struct source_unit unit;
    struct debug_scopes scopes;
    size_t found = 0;
    Dwarf_Die content;
    scopes.count = 0;
    if (target_find_unit(target, address, &unit)) {
        if (debug_lines_are_bounded(unit.die))
            find_line(target, unit.die, address - unit.bias, ret_places);
        else
            ret_places[0].hint = keep(target, format_text("the line table of a source file of %s is longer than 1 MB, "
                                                          "and is not read",
                                                          file_name(ret_places[0].module)));
        if (target_find_content(unit.module, unit.die, &content))
            debug_scopes_of_code(&content, address - unit.bias, &scopes);
    }
    for (size_t i = 0; i < scopes.count && found < most; i++) {
        const int tag = dwarf_tag(&scopes.items[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        struct target_place *place = &ret_places[found++];
        place->function = keep(target, debug_function_name(&scopes.items[i]));
        forget_wrong_line(target, &scopes.items[i], place);
        if (tag == DW_TAG_subprogram)
            break;
        if (found < most) {
            ret_places[found] = *place;
            find_call(target, &scopes.items[i], &ret_places[found]);
        }
    }
    if (ret_places[0].path == NULL && ret_places[0].hint == NULL &&
        !is_binding_module(ret_places[0].module)) /* whose lines nobody knows */
        ret_places[0].hint = find_hint(target, address, ret_places[0].module);
    if (found == 0)
        ret_places[found++].function = target_find_function(target, address);
    return found;
}

bool target_find_source(struct target *target, uint64_t address, struct target_place *ret_place)
{
    return target_find_functions(target, address, ret_place, 1) > 0;
}
