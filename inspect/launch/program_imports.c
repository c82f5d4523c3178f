/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Learns from the symbols of a program whether it contains all of its MPI, and whether a program that is not linked
 * with MPI may still come to use it: by loading libraries, or by executing or starting another program. It can do so
 * only through one of these functions, or through a library that may have them.
 */
#include "launch/launch.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static bool loads_or_starts(const char *function)
{
    static const char *const names[] = {"dlopen",      "dlmopen",      "execv",  "execve", "execvp",
                                        "execvpe",     "execl",        "execlp", "execle", "fexecve",
                                        "posix_spawn", "posix_spawnp", "system", "popen",  "syscall"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(function, names[i]) == 0)
            return true;
    return false;
}

/* Libraries of the C system itself: they load and start nothing unless the program asks. */
static bool is_of_the_system(const char *library)
{
    static const char *const prefixes[] = {"libc.so",  "libm.so",     "libpthread.so", "libdl.so",
                                           "librt.so", "libgcc_s.so", "ld-linux"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(library, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool imports(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data != NULL && header->sh_entsize > 0 && i < header->sh_size / header->sh_entsize; i++) {
        GElf_Sym symbol;
        const char *name = NULL;
        if (gelf_getsym(data, (int)i, &symbol) != NULL && symbol.st_shndx == SHN_UNDEF)
            name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name != NULL && loads_or_starts(name))
            return true;
    }
    return false;
}

static bool needs_more(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data != NULL && header->sh_entsize > 0 && i < header->sh_size / header->sh_entsize; i++) {
        GElf_Dyn entry;
        const char *name = NULL;
        if (gelf_getdyn(data, (int)i, &entry) != NULL && entry.d_tag == DT_NEEDED)
            name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
        if (name != NULL && !is_of_the_system(name))
            return true;
    }
    return false;
}

static bool defines(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *function)
{
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data != NULL && header->sh_entsize > 0 && i < header->sh_size / header->sh_entsize; i++) {
        GElf_Sym symbol;
        const char *name = NULL;
        if (gelf_getsym(data, (int)i, &symbol) != NULL && symbol.st_shndx != SHN_UNDEF)
            name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name != NULL && strcmp(name, function) == 0)
            return true;
    }
    return false;
}

/* Tools define MPI_Init, too; only the MPI library has the other one. */
bool has_mpi_inside(const char *path)
{
    elf_version(EV_CURRENT);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ, NULL) : NULL;
    bool has = false;
    Elf_Scn *section = NULL;
    while (elf != NULL && !has && (section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        has = gelf_getshdr(section, &header) != NULL &&
              (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
              defines(elf, section, &header, "PMPI_Init");
    }
    elf_end(elf);
    if (file >= 0)
        close(file);
    return has;
}

bool may_come_to_use_mpi(const char *path)
{
    elf_version(EV_CURRENT);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ, NULL) : NULL;
    bool may = elf == NULL;
    bool has_imports = false;
    Elf_Scn *section = NULL;
    while (elf != NULL && !may && (section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL)
            continue;
        has_imports = has_imports || header.sh_type == SHT_DYNSYM;
        may = (header.sh_type == SHT_DYNSYM && imports(elf, section, &header)) ||
              (header.sh_type == SHT_DYNAMIC && needs_more(elf, section, &header));
    }
    elf_end(elf);
    if (file >= 0)
        close(file);
    return may || !has_imports; /* without section headers nothing can be said */
}
