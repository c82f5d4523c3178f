/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bounds for data that libdw unpacks and expands.
 */
#include "debug/debug.h"

#include "base/base.h"

#include <dwarf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TIMES = 16,
    MOST_UNPACKED = 1 << 30,
    ALWAYS_UNPACKED = 1 << 20,
    MOST_SYMBOL_BYTES = 1 << 25,
    MOST_DICTIONARY = 1 << 27, /* xz -9 needs half as much */
    MOST_LINE_BYTES = 1 << 20,
    LENGTH_BYTES = 4
};
static const char packed_symbols[] = ".gnu_debugdata";
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

/* Its size when unpacked; 0: not compressed, or already unpacked by libdw, which keeps the name. */
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
        const char *name = elf_strptr(elf, names, header.sh_name);
        const uint64_t bytes = unpacked_bytes(section, &header, name);
        if (bytes > MOST_UNPACKED)
            return false;
        packed += bytes > 0 ? header.sh_size : 0;
        unpacked += bytes;
        if (exceeds(unpacked, packed))
            return false;
    }
    return true;
}

static Elf_Scn *find_section(Elf *elf, const char *wanted, GElf_Shdr *ret_header)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        const char *name =
            gelf_getshdr(section, ret_header) != NULL ? elf_strptr(elf, names, ret_header->sh_name) : NULL;
        if (name != NULL && strcmp(name, wanted) == 0)
            return section;
    }
    return NULL;
}

/* Whether they unpack to an ELF file in so many bytes, and are of the form that linkers make: libdw knows others. */
static bool unpack(const uint8_t *packed, size_t packed_bytes, char *symbols, size_t most)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, MOST_DICTIONARY, 0) != LZMA_OK)
        return false;
    stream.next_in = packed;
    stream.avail_in = packed_bytes;
    stream.next_out = (uint8_t *)symbols;
    stream.avail_out = most;
    const bool is_whole = lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END;
    Elf *inner = is_whole ? elf_memory(symbols, stream.total_out) : NULL;
    const bool is_bounded = inner != NULL && elf_kind(inner) == ELF_K_ELF && debug_sections_are_bounded(inner);
    elf_end(inner);
    lzma_end(&stream);
    return is_bounded;
}

static bool can_be_unpacked(Elf *elf, const GElf_Shdr *header)
{
    size_t bytes;
    const char *file = elf_rawfile(elf, &bytes);
    if (file == NULL || header->sh_type == SHT_NOBITS || header->sh_offset > bytes ||
        header->sh_size > bytes - header->sh_offset)
        return false;
    size_t most = header->sh_size < MOST_SYMBOL_BYTES / MOST_TIMES ? header->sh_size * MOST_TIMES : MOST_SYMBOL_BYTES;
    if (most < ALWAYS_UNPACKED)
        most = ALWAYS_UNPACKED;
    char *symbols = allocate(most);
    const bool can_be = unpack((const uint8_t *)file + header->sh_offset, header->sh_size, symbols, most);
    free(symbols);
    return can_be;
}

bool debug_symbols_are_bounded(Elf *elf)
{
    GElf_Shdr header;
    Elf_Scn *section = find_section(elf, packed_symbols, &header);
    /* ELF_F_DIRTY: it was looked at before, for nothing here is ever written. */
    if (section == NULL || (elf_flagscn(section, ELF_C_SET, 0) & ELF_F_DIRTY) != 0)
        return section == NULL || header.sh_size > 0;
    elf_flagscn(section, ELF_C_SET, ELF_F_DIRTY);
    if (can_be_unpacked(elf, &header))
        return true;
    header.sh_size = 0;
    gelf_update_shdr(section, &header);
    return false;
}

const char *debug_symbol_at(Dwfl_Module *module, GElf_Addr address, GElf_Off *ret_offset, GElf_Sym *ret_symbol)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    if (elf != NULL)
        debug_symbols_are_bounded(elf);
    return dwfl_module_addrinfo(module, address, ret_offset, ret_symbol, NULL, NULL, NULL);
}

char *debug_explain_density(const char *what)
{
    return format_text("%s is damaged, too large or packed more densely than compilers do, and is not read", what);
}

/* As libdw has unpacked it; NULL: there is none. */
static const Elf_Data *find_lines(Elf *elf)
{
    static const char *const names[] = {".debug_line", ".debug_line.dwo", ".zdebug_line"};
    GElf_Shdr header;
    Elf_Scn *section = NULL;
    for (size_t i = 0; elf != NULL && section == NULL && i < sizeof names / sizeof *names; i++)
        section = find_section(elf, names[i], &header);
    return section != NULL ? elf_rawdata(section, NULL) : NULL;
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
