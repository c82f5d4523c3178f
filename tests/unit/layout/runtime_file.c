/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading a runtime library with libelf and libdw.
 */
#include "runtime_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool find_root(Elf *elf, GElf_Sym *ret_symbol)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            const char *name =
                gelf_getsym(data, (int)i, &symbol) != NULL ? elf_strptr(elf, header.sh_link, symbol.st_name) : NULL;
            if (name != NULL && strcmp(name, MPILENS_PROCESS_SYMBOL) == 0 && symbol.st_shndx != SHN_UNDEF) {
                *ret_symbol = symbol;
                return true;
            }
        }
    }
    return false;
}

bool runtime_file_root(const char *path, struct mpilens_process *ret_root, bool *ret_in_section)
{
    elf_version(EV_CURRENT);
    int file = open(path, O_RDONLY);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    GElf_Sym symbol;
    bool found = false;
    if (elf != NULL && find_root(elf, &symbol)) {
        size_t names;
        GElf_Shdr header;
        Elf_Scn *section = elf_getscn(elf, symbol.st_shndx);
        Elf_Data *data = section != NULL ? elf_getdata(section, NULL) : NULL;
        if (data != NULL && gelf_getshdr(section, &header) != NULL && elf_getshdrstrndx(elf, &names) == 0 &&
            symbol.st_value - header.sh_addr + sizeof *ret_root <= data->d_size) {
            const char *name = elf_strptr(elf, names, header.sh_name);
            memcpy(ret_root, (const char *)data->d_buf + (symbol.st_value - header.sh_addr), sizeof *ret_root);
            *ret_in_section =
                name != NULL && strcmp(name, MPILENS_PROCESS_SECTION) == 0 && symbol.st_value == header.sh_addr;
            found = true;
        }
    }
    elf_end(elf);
    close(file);
    return found;
}

static uint32_t constant(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, attribute, &found) == NULL || dwarf_formudata(&found, &value) != 0)
        return UINT32_MAX;
    return (uint32_t)value;
}

static void describe_member(Dwarf_Die *die, struct runtime_file_member *ret_member)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Die first = *die; /* of a union without a name: its first member */
    Dwarf_Word size = 0;
    ret_member->offset = constant(die, DW_AT_data_member_location);
    if (dwarf_attr(die, DW_AT_type, &attribute) != NULL && dwarf_formref_die(&attribute, &type) != NULL) {
        if (dwarf_aggregate_size(&type, &size) == 0)
            ret_member->size = (uint32_t)size;
        if (dwarf_diename(die) == NULL)
            dwarf_child(&type, &first);
    }
    snprintf(ret_member->name, sizeof ret_member->name, "%s",
             dwarf_diename(&first) != NULL ? dwarf_diename(&first) : "");
}

static bool describe(Dwarf_Die *unit, const char *name, struct runtime_file_type *ret_type)
{
    Dwarf_Die die;
    if (dwarf_child(unit, &die) != 0)
        return false;
    do {
        const char *die_name = dwarf_diename(&die);
        if (dwarf_tag(&die) != DW_TAG_structure_type || die_name == NULL || strcmp(die_name, name) != 0 ||
            dwarf_hasattr(&die, DW_AT_declaration))
            continue;
        memset(ret_type, 0, sizeof *ret_type);
        ret_type->size = constant(&die, DW_AT_byte_size);
        Dwarf_Die member;
        if (dwarf_child(&die, &member) != 0)
            return true;
        do
            if (dwarf_tag(&member) == DW_TAG_member &&
                ret_type->member_count < (int)(sizeof ret_type->members / sizeof ret_type->members[0]))
                describe_member(&member, &ret_type->members[ret_type->member_count++]);
        while (dwarf_siblingof(&member, &member) == 0);
        return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

bool runtime_file_type(const char *path, const char *name, struct runtime_file_type *ret_type)
{
    int file = open(path, O_RDONLY);
    Dwarf *debug = dwarf_begin(file, DWARF_C_READ);
    bool found = false;
    size_t header_size;
    for (Dwarf_Off offset = 0, next;
         debug != NULL && !found && dwarf_nextcu(debug, offset, &next, &header_size, NULL, NULL, NULL) == 0;
         offset = next) {
        Dwarf_Die unit;
        found = dwarf_offdie(debug, offset + header_size, &unit) != NULL && describe(&unit, name, ret_type);
    }
    dwarf_end(debug);
    close(file);
    return found;
}
