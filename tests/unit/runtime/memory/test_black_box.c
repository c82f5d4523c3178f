/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The black box: the root and what debuggers read are in a file, which is whole, private, and the parent's after a
 * fork.
 */
#include "memory/memory.h"
#include "shadow.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/mpilens-box-XXXXXX";
static char path[256];

static int refusal; /* an error; 0: none */

/* In the place of the C library's. */
int fallocate(int file, int mode, off_t offset, off_t bytes)
{
    errno = refusal;
    return refusal != 0 ? -1 : (int)syscall(SYS_fallocate, file, mode, offset, bytes);
}

static void open_box(uint64_t started)
{
    const struct mpilens_box_process process = {.version = MPILENS_BOX_VERSION,
                                                .pid = (uint32_t)getpid(),
                                                .root = (uint64_t)(uintptr_t)&mpilens_process,
                                                .started = started,
                                                .host = "a.host/name"};
    cr_assert_not_null(mkdtemp(directory));
    setenv("MPILENS_KEEP", directory, 1);
    snprintf(path, sizeof path, "%s/a_host_name-%ld-%llu.box", directory, (long)getpid(), (unsigned long long)started);
    black_box_open(&process);
}

static void end(void)
{
    black_box_remove();
    cr_expect_neq(access(path, F_OK), 0, "it is removed");
    cr_expect_eq(rmdir(directory), 0);
}

/* The file's contents for that memory. */
static bool read_box(const void *address, void *bytes, size_t count)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    const int file = open(path, O_RDONLY);
    bool found = false;
    cr_assert_eq(pread(file, &header, sizeof header, 0), (ssize_t)sizeof header);
    cr_assert(memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_type == ET_CORE);
    for (size_t i = 0; i < header.e_phnum && !found; i++) {
        cr_assert_eq(pread(file, &segment, sizeof segment, (off_t)(header.e_phoff + i * sizeof segment)),
                     (ssize_t)sizeof segment);
        const uint64_t start = (uint64_t)(uintptr_t)address - segment.p_vaddr;
        found = segment.p_type == PT_LOAD && start < segment.p_filesz && count <= segment.p_filesz - start &&
                pread(file, bytes, count, (off_t)(segment.p_offset + start)) == (ssize_t)count;
    }
    close(file);
    return found;
}

Test(black_box, has_the_root_and_the_tables)
{
    open_box(1);
    cr_assert_eq(mpilens_process.box_state, MPILENS_BOX_WHOLE, "%s", strerror(mpilens_process.box_error));
    struct stat information;
    cr_assert_eq(stat(path, &information), 0);
    cr_expect_eq(information.st_mode & 0777, 0600);
    struct mpilens_operation *operation = table_take_one(MPILENS_TABLE_OPERATIONS), read;
    operation->tag = 4711;
    struct mpilens_process root;
    cr_assert(read_box(&mpilens_process, &root, sizeof root));
    cr_expect_arr_eq(root.magic, mpilens_process.magic, sizeof root.magic);
    cr_expect_eq(root.tables[MPILENS_TABLE_OPERATIONS].chunk_count, 1);
    cr_assert(read_box(operation, &read, sizeof read));
    cr_expect_eq(read.tag, 4711);
    struct mpilens_function function;
    cr_expect(read_box((const void *)(uintptr_t)mpilens_process.functions, &function, sizeof function));
    end();
}

Test(black_box, gives_blocks_again_and_zeroed)
{
    open_box(2);
    char *block = black_box_take_block(5000), *other;
    memset(block, 1, 5000);
    cr_expect(black_box_give_back(block, 5000));
    other = black_box_take_block(8000);
    cr_expect_eq(other, block, "it is of the same size");
    for (size_t i = 0; i < 8000; i++)
        cr_assert_eq(other[i], 0);
    char *large = black_box_take_block(5 << 20);
    large[(5 << 20) - 1] = 'e';
    char byte = 0;
    cr_expect(read_box(large + (5 << 20) - 1, &byte, 1) && byte == 'e');
    int own;
    cr_expect_not(black_box_give_back(&own, sizeof own), "it is other memory");
    end();
}

Test(black_box, stays_the_parents_after_a_fork)
{
    open_box(3);
    struct mpilens_operation *operation = table_take_one(MPILENS_TABLE_OPERATIONS), read;
    operation->tag = 1;
    const pid_t child = fork();
    if (child == 0) {
        black_box_leave();
        operation->tag = 2;
        mpilens_process.world_rank = 99;
        _exit(mpilens_process.box_state == MPILENS_BOX_NONE && black_box_take(4096) == NULL ? 0 : 1);
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    cr_expect_eq(operation->tag, 1);
    cr_expect_neq(mpilens_process.world_rank, 99);
    cr_expect(read_box(operation, &read, sizeof read) && read.tag == 1);
    end();
}

/* A child cannot open the file where its parent has lost it. */
Test(black_box, stays_the_parents_without_the_file)
{
    open_box(4);
    struct mpilens_operation *operation = table_take_one(MPILENS_TABLE_OPERATIONS);
    operation->tag = 1;
    cr_assert_eq(unlink(path), 0);
    const pid_t child = fork();
    if (child == 0) {
        black_box_leave();
        const bool is_kept = operation->tag == 1;
        operation->tag = 2;
        _exit(is_kept ? 0 : 1);
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    cr_expect_eq(operation->tag, 1);
    cr_expect_not_null(memory_map_together(4 << 20), "from the system");
    cr_expect_eq(mpilens_process.box_state, MPILENS_BOX_CUT);
    end();
}

/* Nothing is taken where it would raise a signal. */
Test(black_box, is_cut_where_files_may_not_be_large)
{
    const struct rlimit limit = {1 << 20, 1 << 20};
    open_box(5);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    char *memory = memory_map_together(4 << 20);
    cr_assert_not_null(memory);
    memory[0] = 1;
    cr_expect_eq(mpilens_process.box_state, MPILENS_BOX_CUT);
    cr_expect_eq(mpilens_process.box_error, EFBIG);
    cr_expect_not_null(table_take_one(MPILENS_TABLE_OPERATIONS));
    end();
}

/* By the program that the process is then; until MPI has been finalized, it tells of a rank that left. */
Test(black_box, is_removed_after_exec)
{
    struct mpilens_box_process process = {.pid = (uint32_t)getpid(), .started = 8, .host = "a.host/name"};
    open_box(8);
    mpilens_process.state = MPILENS_PROCESS_RUNNING;
    black_box_remove_earlier(&process);
    cr_expect_eq(access(path, F_OK), 0);
    mpilens_process.state = MPILENS_PROCESS_FINALIZED;
    process.started = 9;
    black_box_remove_earlier(&process);
    cr_expect_eq(access(path, F_OK), 0, "it is of a process with this number before");
    process.started = 8;
    black_box_remove_earlier(&process);
    cr_expect_neq(access(path, F_OK), 0);
    end();
}

/* A file system with quotas is as one that is full. */
Test(black_box, is_cut_by_a_quota)
{
    open_box(6);
    refusal = EDQUOT;
    char *memory = memory_map_together(4 << 20);
    cr_assert_not_null(memory);
    memory[0] = 1;
    cr_expect_eq(mpilens_process.box_state, MPILENS_BOX_CUT);
    cr_expect_eq(mpilens_process.box_error, EDQUOT);
    cr_expect_not_null(table_take_one(MPILENS_TABLE_OPERATIONS));
    end();
}

Test(black_box, is_not_made_where_others_may_write)
{
    const struct mpilens_box_process process = {.host = "", .pid = 1};
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chmod(directory, 0777), 0);
    setenv("MPILENS_KEEP", directory, 1);
    black_box_open(&process);
    cr_expect_eq(mpilens_process.box_state, MPILENS_BOX_FAILED);
    cr_expect_eq(mpilens_process.box_error, EPERM);
    cr_expect_not_null(table_take_one(MPILENS_TABLE_OPERATIONS));
    cr_expect_eq(rmdir(directory), 0, "nothing is in it");
}
