/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recognises programs that the runtime is linked into.
 */
#include "base/base.h"

#include "mpilens/layout.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Programs may be anybody's: bounds the claims of their headers. */
enum { MOST_SECTIONS = 4096, MOST_SECTION_BYTES = 8 << 20 };

static bool is_modest(const Elf_Scn *section)
{
    GElf_Shdr header;
    return gelf_getshdr((Elf_Scn *)(uintptr_t)section, &header) != NULL && header.sh_size <= MOST_SECTION_BYTES;
}

/* libelf makes room for all sections at once. */
static bool has_modest_header(int file)
{
    union {
        unsigned char identity[EI_NIDENT];
        Elf32_Ehdr narrow;
        Elf64_Ehdr wide;
    } header = {.identity = {0}};
    if (pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header)
        return false;
    const unsigned count = header.identity[EI_CLASS] == ELFCLASS64 ? header.wide.e_shnum : header.narrow.e_shnum;
    return count > 0 && count <= MOST_SECTIONS; /* 0: the number stands in the first section */
}

static bool has_section(Elf *elf, const char *wanted)
{
    size_t names;
    Elf_Scn *section = NULL;
    if (elf_getshdrstrndx(elf, &names) != 0 || !is_modest(elf_getscn(elf, names)))
        return false;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name != NULL && strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

bool has_linked_runtime(const char *path)
{
    elf_version(EV_CURRENT);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    Elf *elf = has_modest_header(file) ? elf_begin(file, ELF_C_READ, NULL) : NULL;
    const bool has = elf != NULL && has_section(elf, MPILENS_PROCESS_SECTION);
    elf_end(elf);
    close(file);
    return has;
}
