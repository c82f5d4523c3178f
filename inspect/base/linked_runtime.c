/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recognises programs that the runtime is linked into.
 */
#include "base/linked_runtime.h"

#include "mpilens/layout.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static bool has_section(Elf *elf, const char *wanted)
{
    size_t names;
    Elf_Scn *section = NULL;
    if (elf_getshdrstrndx(elf, &names) != 0)
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
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    const bool has = elf != NULL && has_section(elf, MPILENS_PROCESS_SECTION);
    elf_end(elf);
    close(file);
    return has;
}
