/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Explains why a place has no source line.
 */
#include "debug/debug_hint.h"

#include "base/allocation.h"
#include "base/file_name.h"
#include "debug/debug_file.h"
#include "debug/system_module.h"

#include <elfutils/libdwelf.h>
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

/* Of a module that has debug information. */
static char *explain_debug_information(Dwfl_Module *module, const char *name)
{
    Dwarf_Addr bias;
    const void *build_id;
    const char *supplement = NULL;
    if (debug_file_of(module, &bias) == NULL)
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
    if (dwfl_module_getdwarf(module, &bias) != NULL)
        return explain_debug_information(module, name);
    const char *link = dwelf_elf_gnu_debuglink(elf, &checksum);
    return link != NULL ? format_text("put %s, with the debug information of %s, beside it", link, name)
                        : format_text("compile %s with -g, and do not strip it", name);
}
