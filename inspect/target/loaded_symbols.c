/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dynamic symbols of a loaded object out of its memory, as the dynamic linker finds them: program headers, dynamic
 * section, GNU hash table (whose last chain tells the number of symbols), symbol table.
 */
#include "target/target_internal.h"

#include "base/base.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEADERS = 64, MOST_DYNAMIC = 256, MOST_NAME = 128 };
static const uint32_t most_symbols = 1u << 20;

/* Where the tables are that find a symbol. */
struct dynamic_tables {
    uint64_t bias;
    uint64_t symbols;
    uint64_t text;
    uint64_t hash;
};

static uint64_t *table_of(struct dynamic_tables *tables, int64_t tag)
{
    switch (tag) {
    case DT_SYMTAB:
        return &tables->symbols;
    case DT_STRTAB:
        return &tables->text;
    case DT_GNU_HASH:
        return &tables->hash;
    }
    return NULL;
}

static bool read_dynamic(struct target *target, uint64_t address, struct dynamic_tables *tables)
{
    for (int i = 0; i < MOST_DYNAMIC; i++) {
        Elf64_Dyn entry;
        if (target_read(target, address + (uint64_t)i * sizeof entry, &entry, sizeof entry) != 0)
            return false;
        if (entry.d_tag == DT_NULL)
            break;
        uint64_t *table = table_of(tables, entry.d_tag);
        if (table != NULL) /* most dynamic linkers have added the bias, some have not */
            *table = entry.d_un.d_ptr >= tables->bias ? entry.d_un.d_ptr : entry.d_un.d_ptr + tables->bias;
    }
    return tables->symbols != 0 && tables->text != 0 && tables->hash != 0;
}

static bool find_tables(struct target *target, uint64_t base, struct dynamic_tables *ret_tables)
{
    Elf64_Ehdr header;
    Elf64_Phdr segments[MOST_HEADERS];
    if (target_read(target, base, &header, sizeof header) != 0 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof segments[0] ||
        header.e_phnum > MOST_HEADERS ||
        target_read(target, base + header.e_phoff, segments, header.e_phnum * sizeof segments[0]) != 0)
        return false;
    const Elf64_Phdr *dynamic = NULL;
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < header.e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr < first)
            first = segments[i].p_vaddr;
        if (segments[i].p_type == PT_DYNAMIC)
            dynamic = &segments[i];
    }
    if (dynamic == NULL || first > base)
        return false;
    ret_tables->bias = base - first;
    return read_dynamic(target, ret_tables->bias + dynamic->p_vaddr, ret_tables);
}

/* One more than the highest symbol in the hash table. */
static bool count_symbols(struct target *target, uint64_t hash, uint32_t *ret_count)
{
    uint32_t header[4]; /* buckets, first symbol, words of the filter, shift */
    if (target_read(target, hash, header, sizeof header) != 0 || header[0] > most_symbols || header[2] > most_symbols)
        return false;
    const uint64_t buckets = hash + sizeof header + (uint64_t)header[2] * sizeof(uint64_t);
    const uint64_t chains = buckets + (uint64_t)header[0] * sizeof(uint32_t);
    uint32_t *bucket = allocate(header[0] * sizeof *bucket);
    uint32_t highest = 0;
    const bool read = target_read(target, buckets, bucket, header[0] * sizeof *bucket) == 0;
    for (uint32_t i = 0; read && i < header[0]; i++)
        highest = bucket[i] > highest ? bucket[i] : highest;
    free(bucket);
    for (uint32_t link = 0; read && highest >= header[1] && highest < most_symbols; highest++) {
        if (target_read(target, chains + (uint64_t)(highest - header[1]) * sizeof link, &link, sizeof link) != 0)
            return false;
        if ((link & 1) != 0) { /* the end of its chain */
            *ret_count = highest + 1;
            return true;
        }
    }
    return false;
}

static bool has_name(struct target *target, uint64_t address, const char *name)
{
    char text[MOST_NAME];
    const size_t bytes = strlen(name) + 1;
    return bytes <= sizeof text && target_read(target, address, text, bytes) == 0 && memcmp(text, name, bytes) == 0;
}

bool find_loaded_symbol(struct target *target, uint64_t base, const char *name, uint64_t *ret_address)
{
    struct dynamic_tables tables = {0};
    uint32_t count;
    if (target_is_other_byte_order(target) || !find_tables(target, base, &tables) ||
        !count_symbols(target, tables.hash, &count))
        return false;
    Elf64_Sym *symbols = allocate(count * sizeof *symbols);
    bool found = false;
    if (target_read(target, tables.symbols, symbols, count * sizeof *symbols) == 0)
        for (uint32_t i = 0; i < count && !found; i++) {
            found = symbols[i].st_shndx != SHN_UNDEF && has_name(target, tables.text + symbols[i].st_name, name);
            if (found)
                *ret_address = tables.bias + symbols[i].st_value;
        }
    free(symbols);
    return found;
}
