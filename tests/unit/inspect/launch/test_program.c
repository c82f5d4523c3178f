/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking at programs before they are started. Meson builds programs that need a library under the name of an MPI.
 */
#include "launch/launch.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct program inspect(const char *name)
{
    struct program program;
    struct reason reason;
    cr_assert_eq(program_inspect(name, &program, &reason), EXIT_GOOD, "%s", name);
    return program;
}

static void expect_mpi(const char *path, const char *mpi)
{
    struct program program = inspect(path);
    cr_expect(program.is_elf);
    cr_expect_not(program.is_static);
    cr_assert_not_null(program.mpi, "%s needs no MPI", path);
    cr_expect_str_eq(program.mpi->name, mpi);
}

Test(program, linked_with_mpi)
{
    expect_mpi(PROGRAM_OF_MPICH, "mpich");
    expect_mpi(PROGRAM_OF_OPEN_MPI, "openmpi");
}

Test(program, mpi_behind_another_library)
{
    expect_mpi(PROGRAM_OF_LIBRARY, "mpich");
}

Test(program, shell_needs_no_mpi)
{
    struct program program = inspect("sh");
    cr_expect(program.is_elf);
    cr_expect_not(program.is_static);
    cr_expect_not(program.is_privileged);
    cr_expect_null(program.mpi);
    cr_expect_not(program.never_uses_mpi, "a shell starts programs");
}

Test(program, one_that_can_neither_load_nor_start_anything_never_uses_mpi)
{
    struct program program = inspect("true");
    cr_expect(program.never_uses_mpi);
    program = inspect("env");
    cr_expect_not(program.never_uses_mpi);
    program = inspect(PROGRAM_OF_MPICH);
    cr_expect_not(program.never_uses_mpi);
}

Test(program, with_all_of_mpi_inside)
{
    struct reason reason;
    struct program program = inspect(PROGRAM_MPI_INSIDE);
    cr_expect_null(program.mpi);
    cr_expect(program.has_mpi_inside);
    char *const none[] = {NULL};
    cr_assert_null(preload_choose(NULL, &program, none, &reason));
    cr_expect_not_null(strstr(reason.text, "static MPI library inside"), "%s", reason.text);
    program = inspect(PROGRAM_MPI_WITH_TOOL);
    cr_expect_not(program.has_mpi_inside, "the library is another one");
    cr_expect_eq(preload_check(&program, "/lib/libmpilens-mpich.so", &reason), 0, "%s", reason.text);
}

Test(program, runtime_for_another_mpi_is_refused)
{
    struct reason reason;
    char *const none[] = {NULL};
    struct program program = inspect(PROGRAM_OF_MPICH);
    cr_assert_null(preload_choose(mpi_family_by_name("openmpi"), &program, none, &reason));
    cr_expect_not_null(strstr(reason.text, "is linked with MPICH, so the runtime for Open MPI would end it"), "%s",
                       reason.text);
}

Test(program, libraries_by_name)
{
    static const struct {
        const char *library, *mpi;
    } cases[] = {{"libmpich.so.12", "mpich"}, {"libmpi.so.12", "mpich"},        {"libmpi.so.40", "openmpi"},
                 {"libmpi_abi.so.1", "abi"},  {"libmpi_gnu_91.so.12", "mpich"}, {"libmpi_cray.so.12", "mpich"},
                 {"libmpi_abi.so.0", "abi"},  {"libmpilens-mpich.so", NULL},    {"libmpi_mpifh.so.40", NULL},
                 {"libc.so.6", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct mpi_family *family = mpi_family_of_library(cases[i].library);
        cr_expect_eq(family == NULL, cases[i].mpi == NULL, "%s", cases[i].library);
        if (family != NULL && cases[i].mpi != NULL)
            cr_expect_str_eq(family->name, cases[i].mpi, "%s", cases[i].library);
    }
}

/* A cache of the dynamic linker with one library in it: header, entry, and the text that both offsets point to. */
static void write_cache(char *path, const char *library)
{
    struct {
        char magic[20];
        uint32_t entry_count, text_bytes, more[5];
        struct {
            int32_t flags;
            uint32_t name, path, system_version;
            uint64_t capabilities;
        } entry;
        char text[32];
    } cache = {.entry_count = 1, .text_bytes = sizeof cache.text};
    memcpy(cache.magic, "glibc-ld.so.cache1.1", sizeof cache.magic);
    cache.entry.name = cache.entry.path = (uint32_t)((const char *)cache.text - (const char *)&cache);
    snprintf(cache.text, sizeof cache.text, "%s", library);
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, &cache, sizeof cache), (ssize_t)sizeof cache);
    close(file);
}

Test(program, only_mpi_that_is_installed)
{
    static const char *const libraries[][2] = {{"libmpich.so.12", "mpich"},
                                               {"libmpi.so.40", "openmpi"},
                                               {"libmpi_abi.so.0", "abi"},
                                               {"libmpi_abi.so.1", "abi"}};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        char path[] = "/tmp/mpilens-cache-XXXXXX";
        write_cache(path, libraries[i][0]);
        const struct mpi_family *family = mpi_family_only_one(path);
        cr_expect_not_null(family, "%s", libraries[i][0]);
        if (family != NULL)
            cr_expect_str_eq(family->name, libraries[i][1], "%s", libraries[i][0]);
        unlink(path);
    }
    cr_expect_null(mpi_family_only_one("/nonexistent"));
}

static void write_script(char *path, const char *text, mode_t mode)
{
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    fchmod(file, mode);
    close(file);
}

Test(program, script_is_what_its_interpreter_is)
{
    char path[] = "/tmp/mpilens-script-XXXXXX";
    write_script(path, "#! " PROGRAM_OF_MPICH " -x\n", 0755);
    struct program program = inspect(path);
    cr_expect_str_eq(program.path, path);
    cr_expect_str_eq(program.binary, PROGRAM_OF_MPICH);
    cr_assert_not_null(program.mpi);
    unlink(path);
}

Test(program, text_without_interpreter)
{
    char path[] = "/tmp/mpilens-script-XXXXXX";
    write_script(path, "echo\n", 0755);
    struct program program = inspect(path);
    cr_expect_not(program.is_elf);
    unlink(path);
}

Test(program, not_found_and_not_executable)
{
    struct program program;
    struct reason reason;
    cr_expect_eq(program_inspect("/nonexistent/program", &program, &reason), EXIT_NOT_FOUND);
    cr_expect_eq(program_inspect("mpilens-no-such-program", &program, &reason), EXIT_NOT_FOUND);
    cr_expect_eq(program_inspect("/", &program, &reason), EXIT_NOT_EXECUTABLE);
    char path[] = "/tmp/mpilens-script-XXXXXX";
    write_script(path, "#!/bin/sh\n", 0644);
    cr_expect_eq(program_inspect(path, &program, &reason), EXIT_NOT_EXECUTABLE);
    unlink(path);
}

Test(program, empty_name_is_not_found)
{
    struct program program;
    struct reason reason;
    cr_expect_eq(program_inspect("", &program, &reason), EXIT_NOT_FOUND);
}
