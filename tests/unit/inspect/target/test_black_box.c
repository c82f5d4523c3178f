/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Black boxes that are cut off, half written, or forged: each is told from a good one, or read as far as it goes.
 */
#include "target/black_box.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As the runtime writes it. */
struct box {
    Elf64_Ehdr header;
    Elf64_Phdr segments[3];
    uint32_t gap;
    Elf64_Nhdr of_process;
    char process_name[sizeof MPILENS_BOX_NAME];
    struct mpilens_box_process process;
    Elf64_Nhdr of_modules;
    char modules_name[sizeof MPILENS_BOX_NAME];
    char modules[400];
    char memory[64];
};

enum { ROOT = 0x10000, MEMORY = 0x20000 };

static char path[] = "/tmp/mpilens-box-XXXXXX";

static struct box good_box(void)
{
    struct box box;
    memset(&box, 0, sizeof box);
    box.header = (Elf64_Ehdr){.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                              .e_type = ET_CORE,
                              .e_machine = EM_X86_64,
                              .e_version = EV_CURRENT,
                              .e_phoff = offsetof(struct box, segments),
                              .e_ehsize = sizeof box.header,
                              .e_phentsize = sizeof box.segments[0],
                              .e_phnum = 3};
    box.segments[0] = (Elf64_Phdr){.p_type = PT_NOTE,
                                   .p_offset = offsetof(struct box, of_process),
                                   .p_filesz = offsetof(struct box, memory) - offsetof(struct box, of_process),
                                   .p_align = 4};
    box.segments[1] = (Elf64_Phdr){
        .p_type = PT_LOAD, .p_offset = offsetof(struct box, memory), .p_vaddr = MEMORY, .p_filesz = sizeof box.memory};
    box.of_process = (Elf64_Nhdr){sizeof MPILENS_BOX_NAME, sizeof box.process, MPILENS_BOX_PROCESS};
    strcpy(box.process_name, MPILENS_BOX_NAME);
    box.process = (struct mpilens_box_process){.version = MPILENS_BOX_VERSION, .pid = 4711, .root = ROOT};
    memset(box.process.job_identity, 'x', sizeof box.process.job_identity);
    box.of_modules = (Elf64_Nhdr){sizeof MPILENS_BOX_NAME, sizeof box.modules, MPILENS_BOX_MODULES};
    strcpy(box.modules_name, MPILENS_BOX_NAME);
    const struct mpilens_box_module module = {.bytes = sizeof module + 16, .start = 0x30000, .end = 0x40000};
    memcpy(box.modules, &module, sizeof module);
    strcpy(box.modules + sizeof module, "/no/such/file");
    strcpy(box.memory, "content");
    return box;
}

static void write_box(const struct box *box, size_t bytes)
{
    static bool is_made; /* a name that was made may end like the template */
    const int file = is_made ? open(path, O_WRONLY | O_TRUNC) : mkstemp(path);
    is_made = true;
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, box, bytes), (ssize_t)bytes);
    close(file);
}

static struct target *open_box(const struct box *box, size_t bytes)
{
    struct target *target = NULL;
    struct reason reason;
    write_box(box, bytes);
    return target_open_core(path, &target, &reason) == 0 ? target : NULL;
}

static void expect_content(struct target *target)
{
    char text[8] = "";
    uint64_t address = 0;
    struct target_place place;
    cr_assert_not_null(target);
    cr_expect_eq(target_pid(target), 4711);
    cr_expect(target_find_symbol(target, "mpilens_process", &address) && address == ROOT);
    cr_expect_not(target_find_symbol(target, "main", &address));
    cr_expect_eq(target_read(target, MEMORY, text, sizeof text), 0);
    cr_expect_str_eq(text, "content");
    cr_expect_eq(target_read(target, MEMORY + 60, text, sizeof text), EFAULT);
    cr_expect(target_find_module(target, 0x30010, &place) && place.offset == 0x10);
    target_close(target);
}

static void end(void)
{
    cr_expect_eq(unlink(path), 0);
}

Test(black_box, is_read_as_a_core)
{
    const struct box box = good_box();
    struct mpilens_box_process process;
    expect_content(open_box(&box, sizeof box));
    cr_assert(black_box_identify_file(path, &process));
    cr_expect_eq(process.job_identity[sizeof process.job_identity - 1], '\0');
    cr_expect_not(black_box_is_live(&process), "it is of no boot of this host");
    end();
}

Test(black_box, may_be_cut_off_anywhere)
{
    const struct box box = good_box();
    for (size_t bytes = 0; bytes < offsetof(struct box, memory) + sizeof box.memory; bytes += 4) {
        struct target *target = open_box(&box, bytes);
        struct mpilens_box_process process;
        char text[64];
        black_box_identify_file(path, &process);
        if (target == NULL)
            continue;
        cr_expect_neq(target_read(target, MEMORY, text, sizeof text), 0, "%zu bytes", bytes);
        target_close(target);
    }
    end();
}

Test(black_box, last_module_may_be_half_written)
{
    struct box box = good_box();
    memset(box.modules + 200, 'y', sizeof box.modules - 200);
    struct mpilens_box_module module = {.bytes = UINT32_MAX, .start = 0x50000, .end = 0x60000};
    memcpy(box.modules + sizeof module + 16, &module, sizeof module);
    expect_content(open_box(&box, sizeof box));
    module.bytes = sizeof module + 8; /* and its path does not end */
    memcpy(box.modules + sizeof module + 16, &module, sizeof module);
    memset(box.modules + 2 * sizeof module + 16, '/', 8);
    expect_content(open_box(&box, sizeof box));
    end();
}

Test(black_box, forged_counts_are_bounded)
{
    struct box box = good_box();
    box.of_modules.n_descsz = UINT32_MAX;
    struct target *target = open_box(&box, sizeof box);
    cr_assert_not_null(target);
    target_close(target);
    box = good_box();
    box.segments[0].p_filesz = UINT64_MAX;
    target = open_box(&box, sizeof box);
    if (target != NULL)
        target_close(target);
    box = good_box();
    box.segments[1].p_filesz = box.segments[1].p_memsz = UINT64_MAX / 2;
    char text[256];
    target = open_box(&box, sizeof box);
    cr_assert_not_null(target);
    cr_expect_eq(target_read(target, MEMORY, text, sizeof text), EFAULT, "the file has not so much");
    target_close(target);
    box = good_box();
    const struct mpilens_box_module module = {.bytes = sizeof module + 16, .start = UINT64_MAX - 1, .end = 1};
    memcpy(box.modules, &module, sizeof module);
    target = open_box(&box, sizeof box);
    cr_assert_not_null(target);
    target_close(target);
    end();
}
