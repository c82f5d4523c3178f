/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Guessing the MPI of interpreters and scripts.
 */
#include "base/base.h"
#include "launch/launch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/mpilens-likely-XXXXXX";

/* No launcher, and no sign of a Python. */
static void clear_environment(void)
{
    static const char *const names[] = {
        "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PYTHONPATH", "MPI4PY_MPIABI", "MPI4PY_LIBMPI", NULL};
    for (const char *const *name = names; *name != NULL; name++)
        unsetenv(*name);
    cr_assert_not_null(mkdtemp(directory));
}

static void remove_directory(void)
{
    char *command = format_text("rm -rf %s", directory);
    cr_assert_eq(system(command), 0);
    free(command);
}

TestSuite(likely_mpi, .init = clear_environment, .fini = remove_directory);

static char *make_path(const char *name)
{
    char *path = format_text("%s/%s", directory, name);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
    return path;
}

static void make_link(const char *name, const char *target)
{
    char *path = make_path(name);
    cr_assert_eq(symlink(target, path), 0);
    free(path);
}

static struct program make_script(const char *text)
{
    struct program program;
    struct reason reason;
    char *path = make_path("job.sh");
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, 0755);
    cr_assert_eq(program_inspect(path, &program, &reason), EXIT_GOOD);
    free(path);
    return program;
}

static char *const no_arguments[] = {NULL};

static void expect(const struct program *program, const char *mpi)
{
    const struct mpi_family *family = find_likely_mpi(program, no_arguments);
    cr_assert_not_null(family, "expected %s", mpi);
    cr_assert_str_eq(family->name, mpi);
}

static void expect_of_script(const char *text, const char *mpi)
{
    struct program program = make_script(text);
    expect(&program, mpi);
}

/* A Python of its own with an mpi4py that is linked with that library. */
static struct program make_python(const char *library)
{
    make_link("lib/python3.11/site-packages/mpi4py/MPI.cpython.so", library);
    return (struct program){.path = make_path("bin/python3"), .binary = make_path("bin/python3"), .is_elf = true};
}

Test(likely_mpi, of_python_is_that_of_mpi4py)
{
    struct program program = make_python(PROGRAM_OF_OPEN_MPI);
    expect(&program, "openmpi");
    setenv("PMI_RANK", "0", 1);
    expect(&program, "openmpi");
}

Test(likely_mpi, of_modules_in_pythonpath_comes_first)
{
    struct program program = make_python(PROGRAM_OF_OPEN_MPI);
    make_link("modules/mpi4py/MPI.abi3.so", PROGRAM_OF_MPICH);
    char *modules = format_text("/nonexistent::%s/modules", directory);
    setenv("PYTHONPATH", modules, 1);
    expect(&program, "mpich");
    free(modules);
}

Test(likely_mpi, of_an_mpi4py_for_several)
{
    struct program program = make_python("/dev/null");
    setenv("MPI4PY_MPIABI", "mpich", 1);
    expect(&program, "mpich");
    setenv("MPI4PY_MPIABI", "mpiabi", 1);
    expect(&program, "abi");
    setenv("MPI4PY_LIBMPI", "/opt/lib/libmpi.so.40", 1);
    expect(&program, "openmpi");
}

Test(likely_mpi, of_python_without_mpi4py_is_that_of_the_launcher)
{
    struct program program = make_python("/nonexistent");
    setenv("PMI_RANK", "0", 1);
    expect(&program, "mpich");
    unsetenv("PMI_RANK");
    setenv("PMIX_RANK", "0", 1);
    expect(&program, "openmpi");
    unsetenv("PMIX_RANK");
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    expect(&program, "openmpi");
}

Test(likely_mpi, of_a_script_is_that_of_the_program_it_starts)
{
    setenv("PMI_RANK", "0", 1);
    expect_of_script("#!/bin/sh\necho begin\nexec " PROGRAM_OF_OPEN_MPI " \"$@\"\n", "openmpi");
    expect_of_script("cd /tmp\n(" PROGRAM_OF_OPEN_MPI ")>output;\n", "openmpi");
}

Test(likely_mpi, of_a_script_of_several_is_that_of_the_launcher)
{
    setenv("PMI_RANK", "0", 1);
    expect_of_script("#!/bin/sh\n" PROGRAM_OF_OPEN_MPI "\n" PROGRAM_OF_MPICH "\n", "mpich");
}

Test(likely_mpi, of_remarks_in_scripts_does_not_count)
{
    setenv("PMI_RANK", "0", 1);
    expect_of_script("#!/bin/sh\n  # " PROGRAM_OF_OPEN_MPI "\n./app\n", "mpich");
}

Test(likely_mpi, of_a_script_that_starts_jobs_is_that_of_its_launcher)
{
    make_link("mpich/mpiexec", "mpiexec.hydra");
    make_link("mpich/mpiexec.hydra", "/bin/true");
    make_link("openmpi/orterun", "/bin/true");
    make_link("openmpi/mpirun", "orterun");
    char *script = format_text("#!/bin/sh\n%s/openmpi/mpirun -n 2 python3 app.py\n", directory);
    char *link = format_text("#!/bin/sh\n%s/openmpi/orterun -n 2 python3 app.py\n", directory);
    expect_of_script(link, "openmpi");
    setenv("PMI_RANK", "0", 1);
    expect_of_script(script, "mpich");
    free(script);
    free(link);
}

Test(likely_mpi, of_a_program_that_starts_another)
{
    struct program program = {.path = "/usr/bin/nice", .binary = "/usr/bin/nice", .is_elf = true};
    char *const one[] = {"-n", "5", PROGRAM_OF_OPEN_MPI, NULL};
    char *const text[] = {"-c", "cd /; exec " PROGRAM_OF_MPICH " >log", NULL};
    const struct mpi_family *family = find_likely_mpi(&program, one);
    cr_assert_not_null(family);
    cr_assert_str_eq(family->name, "openmpi");
    family = find_likely_mpi(&program, text);
    cr_assert_not_null(family);
    cr_assert_str_eq(family->name, "mpich");
    make_link("with blanks/app", PROGRAM_OF_OPEN_MPI);
    char *const blanks[] = {make_path("with blanks/app"), NULL};
    family = find_likely_mpi(&program, blanks);
    cr_assert_not_null(family);
    cr_assert_str_eq(family->name, "openmpi");
    free(blanks[0]);
}

Test(likely_mpi, launchers_by_name)
{
    cr_assert_str_eq(mpi_family_of_launcher_program("mpiexec.hydra")->name, "mpich");
    cr_assert_str_eq(mpi_family_of_launcher_program("orterun")->name, "openmpi");
    cr_assert_str_eq(mpi_family_of_launcher_program("prted")->name, "openmpi");
    cr_assert_null(mpi_family_of_launcher_program("mpiexec"));
    cr_assert_null(mpi_family_of_launcher_program("sh"));
}

Test(likely_mpi, script_for_env_is_that_of_what_env_becomes)
{
    struct program program = make_script("#!/usr/bin/env -S A=b " PROGRAM_OF_MPICH " -x\n");
    cr_assert_str_eq(program.binary, PROGRAM_OF_MPICH);
    cr_assert_str_eq(program.mpi->name, "mpich");
    program = make_script("#!/usr/bin/env mpilens-no-such-program\n");
    cr_assert_str_eq(program.binary, "/usr/bin/env");
}
