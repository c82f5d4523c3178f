/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that are truncated while they are mapped: pages of their own, and ELF files that libelf reads.
 */
#include "base/base.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <gelf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 4, LETTER = 'x' };

/* Maps a file with letters in it. */
static char *map_letters(int *ret_file)
{
    char path[] = "/tmp/mpilens-pages-XXXXXX", page[PAGE];
    *ret_file = mkstemp(path);
    unlink(path);
    memset(page, LETTER, sizeof page);
    for (int i = 0; i < PAGES; i++)
        cr_assert_eq(write(*ret_file, page, sizeof page), (ssize_t)sizeof page);
    char *map = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ, MAP_PRIVATE, *ret_file, 0);
    cr_assert_neq(map, MAP_FAILED);
    return map;
}

Test(vanished_pages, read_as_zeros)
{
    int file;
    const char *map = map_letters(&file);
    vanished_pages_read_as_zeros();
    cr_assert_eq(ftruncate(file, PAGE), 0);
    cr_expect_eq(map[PAGE - 1], LETTER, "what is left of the file is as it was");
    for (int page = PAGES - 1; page > 0; page--)
        cr_expect_eq(map[page * PAGE + 1], '\0', "page %d", page);
    cr_assert_eq(ftruncate(file, (off_t)PAGES * PAGE), 0);
    cr_expect_eq(map[PAGE], '\0');
    close(file);
}

static size_t count_symbols(Elf *elf)
{
    size_t count = 0;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        Elf_Data *data = elf_getdata(section, NULL);
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNSYM || data == NULL)
            continue;
        for (int i = 0; i < (int)(header.sh_size / header.sh_entsize); i++) {
            GElf_Sym symbol;
            const char *name =
                gelf_getsym(data, i, &symbol) != NULL ? elf_strptr(elf, header.sh_link, symbol.st_name) : NULL;
            count += name != NULL && name[0] != '\0';
        }
    }
    return count;
}

/* As the owner of a library does it while its symbols are read. */
Test(vanished_pages, of_an_elf_file)
{
    char command[256], path[] = "/tmp/mpilens-elf-XXXXXX";
    const int file = mkstemp(path);
    snprintf(command, sizeof command, "cp /proc/%ld/exe %s", (long)getpid(), path);
    cr_assert_eq(system(command), 0); /* NOLINT(cert-env33-c) */
    vanished_pages_read_as_zeros();
    elf_version(EV_CURRENT);
    for (int round = 0; round < 2; round++) {
        Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
        cr_assert_not_null(elf);
        size_t header_count;
        cr_assert_eq(elf_getshdrnum(elf, &header_count), 0);
        if (round == 0)
            cr_expect_gt(count_symbols(elf), 0);
        else if (truncate(path, PAGE) == 0)
            cr_expect_eq(count_symbols(elf), 0);
        elf_end(elf);
    }
    close(file);
    unlink(path);
}

/* A signal that somebody sends still ends the process. */
Test(vanished_pages, not_for_other_causes)
{
    const pid_t child = fork();
    if (child == 0) {
        vanished_pages_read_as_zeros();
        kill(getpid(), SIGBUS);
        _exit(0);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS, "status %x", status);
}
