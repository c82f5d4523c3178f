/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Explains why a place has no source line.
 */
#include "debug/debug.h"

#include "base/base.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Nobody who uses these would compile them again. */
static bool is_installed(const char *path)
{
    return path[0] != '/' || is_system_module(path) || is_interpreter_module(path) ||
           (begins_with(path, "/usr/") && !begins_with(path, "/usr/local/")) || strstr(path, "-packages/") != NULL;
}

/* Whether it was read from its file, not from what of it is in memory. libdwfl knows no names of the files of cores;
 * but memory has no section headers. */
static bool is_from_file(Dwfl_Module *module, Elf *elf, bool is_live)
{
    const char *file = NULL;
    size_t sections = 0;
    dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &file, NULL);
    return elf != NULL && (is_live ? file != NULL : elf_getshdrnum(elf, &sections) == 0 && sections > 0);
}

static char *explain_unreadable(const char *name, bool is_live)
{
    if (!is_live)
        return format_text("the %s that the core file is of is not on this host", name);
    return geteuid() == 0 ? format_text("the file of %s cannot be read", name)
                          : format_text("only root can still read the file of %s", name);
}

static bool has_debug_sections(Elf *elf)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name != NULL && header.sh_type != SHT_NOBITS &&
            (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0))
            return true;
    }
    return false;
}

static char *explain_damage(Dwfl_Module *module, const char *name)
{
    const char *debug_file = NULL;
    dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, &debug_file);
    return format_text("the debug information of %s%s%s is damaged: build it again", name,
                       debug_file != NULL ? " in " : "", debug_file != NULL ? debug_file : "");
}

/* Explains that a module has debug information which cannot be read at all; NULL: it has none. */
static char *explain_refused(Dwfl_Module *module, Elf *elf, const char *name)
{
    const char *debug_file = NULL;
    dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, &debug_file);
    return debug_file != NULL || has_debug_sections(elf) ? explain_damage(module, name) : NULL;
}

/* libdw silently leaves out parts that it cannot unpack or read. */
static bool is_damaged(Dwarf *debug, Elf *elf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_get_units(debug, NULL, &unit, NULL, NULL, &die, NULL) != 0)
        return has_debug_sections(elf);
    return dwarf_hasattr(&die, DW_AT_stmt_list) && debug_lines_are_bounded(&die) &&
           dwarf_getsrclines(&die, &lines, &count) != 0;
}

/* Explains why a module with debug information has no line for the place. */
static char *explain_debug_information(Dwfl_Module *module, Elf *elf, const char *name)
{
    Dwarf_Addr bias;
    const void *build_id;
    const char *supplement = NULL;
    Dwarf *debug = debug_file_of(module, &bias);
    if (debug != NULL && is_damaged(debug, elf))
        return explain_damage(module, name);
    if (debug == NULL)
        dwelf_dwarf_gnu_debugaltlink(dwfl_module_getdwarf(module, &bias), &supplement, &build_id);
    return supplement != NULL
               ? format_text("the debug information of %s needs %s, which is not there", name, supplement)
               : format_text("not all of %s was compiled with -g", name);
}

char *debug_hint_of(Dwfl_Module *module, const char *path, bool is_live)
{
    Dwarf_Addr bias;
    GElf_Word checksum;
    const char *name = file_name(path);
    if (is_installed(path))
        return NULL;
    Elf *elf = dwfl_module_getelf(module, &bias);
    if (!is_from_file(module, elf, is_live))
        return explain_unreadable(name, is_live);
    if (elf != NULL && (!debug_sections_are_bounded(elf) || !debug_symbols_are_bounded(elf))) {
        char *what = format_text("the debug information of %s", name);
        char *explanation = debug_explain_density(what);
        free(what);
        return explanation;
    }
    if (dwfl_module_getdwarf(module, &bias) != NULL)
        return explain_debug_information(module, elf, name);
    char *refused = explain_refused(module, elf, name);
    const char *link = refused == NULL ? dwelf_elf_gnu_debuglink(elf, &checksum) : NULL;
    if (link != NULL)
        refused = debug_file_explain_link(module, link, checksum);
    if (refused != NULL && link != NULL) {
        char *reason = refused;
        refused = format_text("%s: put %s, with the debug information of %s, there", reason, link, name);
        free(reason);
    }
    return refused != NULL ? refused
           : link != NULL  ? format_text("put %s, with the debug information of %s, beside it", link, name)
                           : format_text("compile %s with -g, and do not strip it", name);
}
