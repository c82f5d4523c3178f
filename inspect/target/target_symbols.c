/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symbols of the target, and the runtime that it has loaded.
 */

#include "base/base.h"
#include "debug/debug.h"
#include "target/target_internal.h"
#include "target/target_kinds.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>

/* Modules that are searched. */
enum searched { RUNTIMES, ALL_OTHERS, INTERPRETERS };

struct symbol_search {
    struct target *target;
    const char *name;
    enum searched searched;
    bool found;
    uint64_t address;
};

static bool is_runtime(const char *module)
{
    return strncmp(file_name(module), "libmpilens-", strlen("libmpilens-")) == 0;
}

static bool is_searched(const char *module, enum searched searched)
{
    return searched == INTERPRETERS ? is_interpreter_module(module) : is_runtime(module) == (searched == RUNTIMES);
}

static bool search_section(Elf *elf, Elf_Scn *section, struct symbol_search *search, uint64_t bias)
{
    GElf_Shdr header;
    Elf_Data *data = elf_getdata(section, NULL);
    if (gelf_getshdr(section, &header) == NULL || data == NULL || header.sh_entsize == 0)
        return false;
    const int count = (int)(header.sh_size / header.sh_entsize);
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name != NULL && strcmp(name, search->name) == 0) {
            search->address = symbol.st_value + bias;
            return true;
        }
    }
    return false;
}

static bool search_sections(Elf *elf, GElf_Addr bias, struct symbol_search *search)
{
    bool found = false;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL && !found; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        found = gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_DYNSYM &&
                search_section(elf, section, search, bias);
    }
    return found;
}

/* `file`: NULL: not known. */
static bool search_file(Dwfl_Module *module, const struct mapped_file *file, const char *path, Dwarf_Addr start,
                        struct symbol_search *search)
{
    GElf_Addr bias = 0;
    uint64_t offset;
    if (file != NULL && known_symbol_find(file, path, search->name, &offset)) {
        search->address = start + offset;
        return offset != symbol_is_absent;
    }
    Elf *elf = dwfl_module_getelf(module, &bias);
    if (elf == NULL)
        return search->searched == RUNTIMES &&
               find_loaded_symbol(search->target, start, search->name, &search->address);
    const bool found = search_sections(elf, bias, search);
    if (file != NULL)
        known_symbol_add(file, path, search->name, found ? search->address - start : symbol_is_absent);
    return found;
}

static int search_module(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr start, void *argument)
{
    (void)user_data;
    struct symbol_search *search = argument;
    if (!is_searched(name, search->searched))
        return DWARF_CB_OK;
    const struct mapped_file *file = mapped_files_find(&search->target->files, start);
    search->found = search_file(module, file, name, start, search);
    return search->found ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* Under which name libdwfl reports the program of a core file depends on what that has of the dynamic linker. */
static bool is_of_program(const char *module, const struct target *target)
{
    return strcmp(module, target->executable) == 0 ||
           (target->core != NULL &&
            (strcmp(module, "[exe]") == 0 || strcmp(file_name(module), file_name(target->executable)) == 0));
}

static int search_program(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr start, void *argument)
{
    (void)user_data;
    (void)start;
    struct symbol_search *search = argument;
    GElf_Addr bias = 0;
    if (!is_of_program(name, search->target))
        return DWARF_CB_OK;
    Elf *elf = dwfl_module_getelf(module, &bias);
    for (Elf_Scn *section = elf != NULL ? elf_nextscn(elf, NULL) : NULL; section != NULL && !search->found;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        search->found = gelf_getshdr(section, &header) != NULL &&
                        (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
                        search_section(elf, section, search, bias);
    }
    return DWARF_CB_ABORT;
}

bool target_find_program_symbol(struct target *target, const char *name, uint64_t *ret_address)
{
    struct symbol_search search = {.target = target, .name = name};
    if (target->dwfl != NULL)
        dwfl_getmodules(target->dwfl, search_program, &search, 0);
    if (search.found)
        *ret_address = search.address;
    return search.found;
}

/* In one class of modules after the other, to `last`. */
static bool find_symbol(struct target *target, const char *name, enum searched first, enum searched last,
                        uint64_t *ret_address)
{
    const int error = target->read_error; /* looking around in memory is no failed reading */
    struct symbol_search search = {.target = target, .name = name, .searched = first};
    dwfl_getmodules(target->dwfl, search_module, &search, 0);
    while (!search.found && search.searched != last) {
        search.searched++;
        dwfl_getmodules(target->dwfl, search_module, &search, 0);
    }
    if (target->read_error != ESRCH)
        target->read_error = error;
    if (search.found)
        *ret_address = search.address;
    return search.found;
}

static bool find_and_record(struct target *target, const char *name, enum searched first, enum searched last,
                            uint64_t *ret_address)
{
    const bool found = target->kind->find_symbol != NULL ? target->kind->find_symbol(target, name, ret_address)
                                                         : find_symbol(target, name, first, last, ret_address);
    if (found && target->recording != NULL)
        target_recording_add_symbol(target->recording, name, *ret_address);
    return found;
}

bool target_find_symbol(struct target *target, const char *name, uint64_t *ret_address)
{
    return find_and_record(target, name, RUNTIMES, ALL_OTHERS, ret_address);
}

bool target_find_interpreter_symbol(struct target *target, const char *name, uint64_t *ret_address)
{
    return find_and_record(target, name, INTERPRETERS, INTERPRETERS, ret_address);
}

static int note_runtime(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr start, void *argument)
{
    (void)module;
    (void)user_data;
    (void)start;
    if (!is_runtime(name))
        return DWARF_CB_OK;
    *(const char **)argument = name;
    return DWARF_CB_ABORT;
}

const char *target_find_runtime(struct target *target)
{
    const char *name = NULL;
    if (target->kind->find_runtime != NULL)
        return target->kind->find_runtime(target);
    dwfl_getmodules(target->dwfl, note_runtime, &name, 0);
    return name;
}
