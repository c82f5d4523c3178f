/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What libdw may unpack and expand.
 */
#include "debug/debug_bounds.h"

#include "base/allocation.h"

#include <dwarf.h>
#include <string.h>

enum {
    MOST_TIMES = 16,
    MOST_UNPACKED = 1 << 30,
    ALWAYS_UNPACKED = 1 << 20,
    MOST_LINE_BYTES = 1 << 20,
    LENGTH_BYTES = 4
};
/* "ZLIB", and the size, big endian. */
enum { GNU_NAME_BYTES = 4, SIZE_BYTES = 8, GNU_HEADER_BYTES = 12 };
static const char gnu_name[] = "ZLIB";

static uint64_t read_number(const void *from, size_t count, bool is_big_endian)
{
    const unsigned char *bytes = from;
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++)
        number = number << 8 | bytes[is_big_endian ? i : count - 1 - i];
    return number;
}

/* What it unpacks to; 0: it is not compressed, or libdw has unpacked it, which leaves its name as it was. */
static uint64_t unpacked_bytes(Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
    GElf_Chdr compression;
    if ((header->sh_flags & SHF_COMPRESSED) != 0)
        return gelf_getchdr(section, &compression) != NULL ? compression.ch_size : 0;
    if (name == NULL || strncmp(name, ".zdebug", strlen(".zdebug")) != 0)
        return 0;
    const Elf_Data *data = elf_rawdata(section, NULL);
    return data != NULL && data->d_buf != NULL && data->d_size >= GNU_HEADER_BYTES &&
                   memcmp(data->d_buf, gnu_name, GNU_NAME_BYTES) == 0
               ? read_number((const char *)data->d_buf + GNU_NAME_BYTES, SIZE_BYTES, true)
               : 0;
}

static bool exceeds(uint64_t unpacked, uint64_t packed)
{
    return unpacked > MOST_UNPACKED || (unpacked > ALWAYS_UNPACKED && unpacked / MOST_TIMES > packed);
}

bool debug_sections_are_bounded(Elf *elf)
{
    size_t names;
    uint64_t packed = 0, unpacked = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return true;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS)
            continue;
        const uint64_t bytes = unpacked_bytes(section, &header, elf_strptr(elf, names, header.sh_name));
        if (bytes > MOST_UNPACKED)
            return false;
        packed += bytes > 0 ? header.sh_size : 0;
        unpacked += bytes;
        if (exceeds(unpacked, packed))
            return false;
    }
    return true;
}

char *debug_explain_density(const char *what)
{
    return format_text("%s is packed more densely than compilers do, and is not read", what);
}

/* As libdw has unpacked it; NULL: there is none. */
static const Elf_Data *find_lines(Elf *elf)
{
    size_t names;
    if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name != NULL && (strcmp(name, ".debug_line") == 0 || strcmp(name, ".debug_line.dwo") == 0 ||
                             strcmp(name, ".zdebug_line") == 0))
            return elf_rawdata(section, NULL);
    }
    return NULL;
}

bool debug_lines_are_bounded(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    Dwarf_Word at = 0;
    Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(unit->cu));
    const Elf_Data *lines = find_lines(elf);
    if (lines == NULL || lines->d_buf == NULL || lines->d_size <= MOST_LINE_BYTES)
        return true;
    dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &attribute), &at);
    if (at > lines->d_size - LENGTH_BYTES)
        return true; /* libdw refuses it */
    const bool is_big_endian = elf_getident(elf, NULL)[EI_DATA] == ELFDATA2MSB;
    /* of 64-bit DWARF all bits are set */
    return read_number((const char *)lines->d_buf + at, LENGTH_BYTES, is_big_endian) <= MOST_LINE_BYTES;
}
