/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks symbols up as the dynamic linker does, by the hash tables of the object.
 */
#include "loader/loader.h"

#include <stddef.h>
#include <string.h>

/* Flag of a version: not the default one. */
enum { HIDDEN_VERSION = 0x8000 };

struct symbol_tables {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Half) * versions; /* NULL: it has none */
    const uint32_t *gnu_hash;    /* NULL: it has the older one only */
    const uint32_t *hash;
    ElfW(Xword) name; /* offset of DT_SONAME; 0: none */
};

/* Some loaders turn offsets in the dynamic section into addresses. */
static const void *address_of(const struct elf_object *object, ElfW(Addr) value)
{
    return (const void *)(value < object->base ? object->base + value : value); // NOLINT(performance-no-int-to-ptr)
}

static struct symbol_tables tables_of(const struct elf_object *object)
{
    struct symbol_tables tables = {.base = object->base};
    for (const ElfW(Dyn) *entry = object->dynamic; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        const void *address = address_of(object, entry->d_un.d_ptr);
        if (entry->d_tag == DT_SYMTAB)
            tables.symbols = address;
        else if (entry->d_tag == DT_STRTAB)
            tables.strings = address;
        else if (entry->d_tag == DT_VERSYM)
            tables.versions = address;
        else if (entry->d_tag == DT_GNU_HASH)
            tables.gnu_hash = address;
        else if (entry->d_tag == DT_HASH)
            tables.hash = address;
        else if (entry->d_tag == DT_SONAME)
            tables.name = entry->d_un.d_val;
    }
    return tables;
}

/* Not strcmp: a sanitizer in the process may not have its own ready. */
static bool is_same(const char *left, const char *right)
{
    while (*left == *right && *left != '\0') {
        left++;
        right++;
    }
    return *left == *right;
}

static bool is_wanted(const struct symbol_tables *tables, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &tables->symbols[index];
    return symbol->st_shndx != SHN_UNDEF && (tables->versions == NULL || !(tables->versions[index] & HIDDEN_VERSION)) &&
           is_same(tables->strings + symbol->st_name, name);
}

static const ElfW(Sym) * find_by_gnu_hash(const struct symbol_tables *tables, const char *name)
{
    const uint32_t bucket_count = tables->gnu_hash[0];
    const uint32_t first = tables->gnu_hash[1];
    const size_t filter_words = tables->gnu_hash[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const uint32_t *buckets = tables->gnu_hash + 4 + filter_words;
    const uint32_t *chains = buckets + bucket_count;
    uint32_t hash = 5381;
    for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++)
        hash = hash * 33 + *c;
    uint32_t index = bucket_count > 0 ? buckets[hash % bucket_count] : 0;
    if (index < first)
        return NULL;
    for (;; index++) {
        const uint32_t other = chains[index - first];
        if ((other | 1) == (hash | 1) && is_wanted(tables, index, name))
            return &tables->symbols[index];
        if (other & 1)
            return NULL;
    }
}

static const ElfW(Sym) * find_by_hash(const struct symbol_tables *tables, const char *name)
{
    const uint32_t bucket_count = tables->hash[0];
    const uint32_t *buckets = tables->hash + 2;
    const uint32_t *chains = buckets + bucket_count;
    uint32_t hash = 0;
    for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++) {
        hash = (hash << 4) + *c;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    for (uint32_t index = bucket_count > 0 ? buckets[hash % bucket_count] : 0; index != 0; index = chains[index])
        if (is_wanted(tables, index, name))
            return &tables->symbols[index];
    return NULL;
}

static const ElfW(Sym) * find(const struct symbol_tables *tables, const char *name)
{
    if (tables->symbols == NULL || tables->strings == NULL)
        return NULL;
    if (tables->gnu_hash != NULL)
        return find_by_gnu_hash(tables, name);
    return tables->hash != NULL ? find_by_hash(tables, name) : NULL;
}

bool elf_object_defines(const struct elf_object *object, const char *name)
{
    const struct symbol_tables tables = tables_of(object);
    return find(&tables, name) != NULL;
}

void *elf_object_function(const struct elf_object *object, const char *name)
{
    const struct symbol_tables tables = tables_of(object);
    const ElfW(Sym) *symbol = find(&tables, name);
    if (symbol == NULL || (symbol->st_info & 0xf) != STT_FUNC)
        return NULL;
    return (void *)(tables.base + symbol->st_value); // NOLINT(performance-no-int-to-ptr)
}

const char *elf_object_name(const struct elf_object *object)
{
    const struct symbol_tables tables = tables_of(object);
    if (tables.name != 0 && tables.strings != NULL)
        return tables.strings + tables.name;
    const char *slash = strrchr(object->path, '/');
    return slash != NULL ? slash + 1 : object->path;
}

struct object_search {
    bool (*is_wanted)(const struct dl_phdr_info *object, uintptr_t address);
    uintptr_t address;
    struct elf_object found;
};

static bool has_address(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && address - object->dlpi_addr - header->p_vaddr < header->p_memsz)
            return true;
    }
    return false;
}

static bool has_base(const struct dl_phdr_info *object, uintptr_t base)
{
    return object->dlpi_addr == base;
}

static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    struct object_search *search = context;
    if (!search->is_wanted(object, search->address))
        return 0;
    search->found = (struct elf_object){.base = object->dlpi_addr, .path = object->dlpi_name};
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            search->found.dynamic =
                (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr); // NOLINT(performance-no-int-to-ptr)
    return 1;
}

bool elf_object_at(const void *address, struct elf_object *ret_object)
{
    struct object_search search = {.is_wanted = has_address, .address = (uintptr_t)address};
    if (dl_iterate_phdr(look_at, &search) == 0)
        return false;
    *ret_object = search.found;
    return true;
}

bool elf_object_with_base(uintptr_t base, struct elf_object *ret_object)
{
    struct object_search search = {.is_wanted = has_base, .address = base};
    if (dl_iterate_phdr(look_at, &search) == 0)
        return false;
    *ret_object = search.found;
    return true;
}
