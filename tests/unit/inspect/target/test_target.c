/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Targets: a living child and its core file give the same answers.
 */
#include "child.h"
#include "published.h"
#include "target/target_internal.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect_content(struct target *target, pid_t pid)
{
    uint64_t address = 0;
    struct published published;
    published_expect(target, pid, &published);

    char constant[32] = "";
    cr_assert(target_find_symbol(target, "mpilens_test_constant", &address));
    cr_assert_eq(target_read(target, address, constant, sizeof "constant content"), 0);
    cr_expect_str_eq(constant, "constant content");

    cr_expect_eq(target_read_error(target), 0);
    cr_expect_eq(target_read(target, published.unmapped, constant, 1), EFAULT);
    cr_expect_eq(target_read_error(target), EFAULT);
}

Test(target, living_process)
{
    struct child child = child_start(TARGET_PROGRAM);
    struct target *target;
    struct reason reason;
    cr_assert_eq(target_open_process(child.pid, &target, &reason), 0);
    expect_content(target, child.pid);
    cr_expect_null(target_core_path(target));
    uint64_t address;
    cr_assert(target_find_symbol(target, "mpilens_test_published", &address));
    child_end(&child);
    char byte;
    cr_expect_eq(target_read(target, address, &byte, 1), ESRCH);
    cr_expect_eq(target_read_error(target), ESRCH, "worse than what was met before");
    target_close(target);
}

/* Knowledge about the first process's file also holds for the second one, which has it at another address. */
Test(target, two_processes_of_one_program)
{
    struct child children[2] = {child_start(TARGET_PROGRAM), child_start(TARGET_PROGRAM)};
    for (int i = 0; i < 2; i++) {
        struct target *target;
        struct reason reason;
        cr_assert_eq(target_open_process(children[i].pid, &target, &reason), 0);
        expect_content(target, children[i].pid);
        target_close(target);
        child_end(&children[i]);
    }
}

Test(target, symbols_of_a_file_that_was_replaced)
{
    const struct mapped_file old = {.inode = 1, .device_major = 8, .device_minor = 1};
    const struct mapped_file files[] = {{.inode = 2, .device_major = 8, .device_minor = 1},
                                        {.inode = 1, .device_major = 8, .device_minor = 2},
                                        {.inode = 1, .device_major = 9, .device_minor = 1}};
    uint64_t offset = 0;
    known_symbol_add(&old, "/lib/a", "here", 16);
    known_symbol_add(&old, "/lib/a", "absent", symbol_is_absent);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        cr_expect_not(known_symbol_find(&files[i], "/lib/a", "here", &offset), "file %zu", i);
    cr_expect_not(known_symbol_find(&old, "/lib/b", "here", &offset));
    cr_expect_not(known_symbol_find(&old, "/lib/a", "other", &offset));
    cr_expect(known_symbol_find(&old, "/lib/a", "here", &offset) && offset == 16);
    cr_expect(known_symbol_find(&old, "/lib/a", "absent", &offset) && offset == symbol_is_absent);
}

Test(target, core_file)
{
    struct child child = child_start(TARGET_PROGRAM);
    char *path = child_write_core(&child);
    child_end(&child);
    if (path == NULL)
        cr_skip_test("gcore (package gdb) does not work here");
    struct target *target;
    struct reason reason;
    cr_assert_eq(target_open_core(path, &target, &reason), 0, "%s", reason.text);
    expect_content(target, child.pid);
    cr_expect_str_eq(target_core_path(target), path);
    target_close(target);
    core_remove(path);
}

static void copy_file(const char *from, const char *to)
{
    char buffer[65536];
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    cr_assert(in != NULL && out != NULL);
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, in)) > 0;)
        cr_assert_eq(fwrite(buffer, 1, count, out), count);
    fclose(in);
    fclose(out);
    cr_assert_eq(chmod(to, 0755), 0);
}

/* A runtime, by its name, whose file is gone; in the place that the kernel names then, there is what `make` makes. */
static void expect_runtime_without_file(int (*make)(const char *path))
{
    char directory[] = "/tmp/mpilens-target-XXXXXX", path[64], gone[96];
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/libmpilens-test", directory);
    snprintf(gone, sizeof gone, "%s (deleted)", path);
    copy_file(TARGET_PROGRAM, path);
    struct child child = child_start(path);
    unlink(path);
    cr_assert(make == NULL || make(gone) == 0);
    struct target *target;
    struct reason reason;
    cr_assert_eq(target_open_process(child.pid, &target, &reason), 0);
    uint64_t address = 0;
    char text[16] = "";
    cr_assert(target_find_symbol(target, "mpilens_test_published", &address));
    cr_assert_eq(target_read(target, address, text, sizeof text), 0);
    cr_expect_str_eq(text, "known content");
    cr_expect_not(target_find_symbol(target, "mpilens_no_such_symbol", &address));
    cr_expect_eq(target_read_error(target), 0);
    target_close(target);
    child_end(&child);
    unlink(gone);
    rmdir(directory);
}

/* As when mpilens is upgraded while a job runs: symbols of a runtime are found in its memory. */
Test(target, runtime_whose_file_is_gone)
{
    expect_runtime_without_file(NULL);
}

static int make_fifo(const char *path)
{
    return mkfifo(path, 0600);
}

/* It never gets a writer: opening it as usual waits for ever, and all else here may be slow. */
Test(target, runtime_whose_file_is_a_fifo, .timeout = 100)
{
    expect_runtime_without_file(make_fifo);
}

/* The core file names the library twice: in its note of mapped files, and in the memory of the dynamic linker. */
Test(target, core_file_that_names_a_fifo, .timeout = 100)
{
    char directory[] = "/tmp/mpilens-target-XXXXXX", library[64];
    cr_assert_not_null(mkdtemp(directory));
    snprintf(library, sizeof library, "%s/library.so", directory);
    copy_file(SOME_LIBRARY, library);
    setenv("LD_PRELOAD", library, true);
    struct child child = child_start(TARGET_PROGRAM);
    unsetenv("LD_PRELOAD");
    char *path = child_write_core(&child);
    child_end(&child);
    unlink(library);
    cr_assert_eq(make_fifo(library), 0);
    if (path != NULL) {
        struct target *target;
        struct reason reason;
        cr_assert_eq(target_open_core(path, &target, &reason), 0, "%s", reason.text);
        expect_content(target, child.pid);
        target_close(target);
        core_remove(path);
    }
    unlink(library);
    rmdir(directory);
    if (path == NULL)
        cr_skip_test("gcore (package gdb) does not work here");
}

Test(target, no_such_process)
{
    struct child child = child_start(TARGET_PROGRAM);
    child_end(&child);
    struct target *target = NULL;
    struct reason reason = {.text = ""};
    cr_expect_eq(target_open_process(child.pid, &target, &reason), -1);
    cr_expect_null(target);
    cr_expect_not_null(strstr(reason.text, "no such process"));
    cr_expect_eq(target_open_process(0, &target, &reason), -1);
}

Test(target, files_that_are_no_cores)
{
    static const char *const paths[] = {"/nonexistent/core", "/etc/passwd", TARGET_PROGRAM, "/tmp", "/dev/null"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct target *target = NULL;
        struct reason reason = {.text = ""};
        cr_expect_eq(target_open_core(paths[i], &target, &reason), -1, "%s", paths[i]);
        cr_expect_not_null(strstr(reason.text, paths[i]));
    }
}
