/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The installed parts of mpilens, MPI and debuggers.
 */
#include "doctor/doctor_internal.h"

#include "base/base.h"
#include "collect/collect.h"
#include "launch/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double limit_s = 20;

static bool has_runtime(const struct mpi_family *family)
{
    struct reason reason;
    char *path = installation_find(arena_text("libmpilens-%s.so", family->name), "runtime", &reason);
    free(path);
    return path != NULL;
}

static void check_dll(struct doctor *doctor)
{
    struct reason reason;
    struct dll dll;
    if (dll_open(NULL, &dll, &reason) == 0) {
        dll_close(&dll);
        doctor_add(doctor, "debugger library", DOCTOR_GOOD, "libmpilens_dll.so is there", NULL);
    } else {
        doctor_add(doctor, "debugger library", DOCTOR_BAD, arena_copy(reason.text),
                   "install all of mpilens: meson install -C build");
    }
}

static void check_runtimes(struct doctor *doctor)
{
    FILE *stream = arena_open();
    int count = 0;
    for (size_t i = 0; i < mpi_family_count; i++)
        if (has_runtime(&mpi_families[i]))
            fprintf(stream, "%s%s", count++ > 0 ? ", " : "", mpi_families[i].title);
    const char *names = arena_close(stream);
    if (count > 0)
        doctor_add(doctor, "runtimes", DOCTOR_GOOD, arena_text("for %s", names), NULL);
    else
        doctor_add(doctor, "runtimes", DOCTOR_BAD, "'mpilens run' works with no MPI: no runtime is installed",
                   "meson setup build -Dmpi=$(command -v mpicc) && meson install -C build");
}

static void check_compilers(struct doctor *doctor)
{
    struct doctor_compilers compilers = doctor_find_compilers();
    for (size_t i = 0; i < compilers.count; i++) {
        const struct doctor_compiler *compiler = &compilers.items[i];
        if (compiler->family == NULL)
            doctor_add(doctor, "compiler of MPI", DOCTOR_LIMITED,
                       arena_text("%s is of an MPI that mpilens does not know", compiler->path),
                       arena_text("meson setup build -Dmpi=%s && meson install -C build", compiler->path));
        else if (has_runtime(compiler->family))
            doctor_add(doctor, "compiler of MPI", DOCTOR_GOOD,
                       arena_text("%s: %s, which has a runtime", compiler->path, compiler->family->title), NULL);
        else
            doctor_add(doctor, "compiler of MPI", DOCTOR_BAD,
                       arena_text("%s: %s, for which no runtime is installed", compiler->path, compiler->family->title),
                       arena_text("meson setup build -Dmpi=%s && meson install -C build", compiler->path));
    }
    if (compilers.count == 0)
        doctor_add(doctor, "compiler of MPI", DOCTOR_LIMITED, "there is no mpicc in PATH",
                   "load the module of your MPI, or install its compiler");
}

/* Where gdb looks for what belongs to the runtime: beside it, unless that is in a place that gdb always trusts. NULL:
 * nothing is to be trusted. */
static const char *find_auto_load_directory(void)
{
    const char *script = NULL;
    struct reason reason;
    for (size_t i = 0; i < mpi_family_count && script == NULL; i++)
        script = arena_take(
            installation_find(arena_text("libmpilens-%s.so-gdb.py", mpi_families[i].name), "inspect/gdb", &reason));
    return script != NULL ? arena_text("%.*s", (int)(strrchr(script, '/') - script), script) : NULL;
}

static bool is_trusted(const char *safe_path, const char *directory)
{
    return strstr(safe_path, directory) != NULL || strstr(safe_path, "\"/\"") != NULL ||
           strstr(safe_path, " /.") != NULL;
}

static void check_gdb(struct doctor *doctor)
{
    const char *words[] = {
        "gdb", "-q", "-batch", "-ex", "show auto-load safe-path", "-ex", "python print('python' + ' is there')", NULL};
    const char *said, *directory = find_auto_load_directory();
    struct reason reason;
    char *scripts = installation_find("gdb/mpilens.py", "inspect/gdb", &reason);
    if (scripts == NULL)
        scripts = installation_find("mpilens.py", "inspect/gdb", &reason);
    const bool succeeded = doctor_ask(words, limit_s, &said);
    if (!succeeded && strstr(said, "auto-load") == NULL)
        doctor_add(doctor, "gdb", DOCTOR_LIMITED, "gdb is not installed, or does not start",
                   "install gdb (12 or later); mpilens itself does not need it");
    else if (strstr(said, "python is there") == NULL)
        doctor_add(doctor, "gdb", DOCTOR_LIMITED, "gdb has no Python, so it cannot show handles",
                   "install a gdb that was built with Python");
    else if (scripts == NULL)
        doctor_add(doctor, "gdb", DOCTOR_LIMITED, "the scripts for gdb are not installed",
                   "install all of mpilens: meson install -C build");
    else if (directory != NULL && !is_trusted(said, directory))
        doctor_add(doctor, "gdb", DOCTOR_LIMITED, arena_text("gdb does not load scripts from %s", directory),
                   arena_text("mkdir -p ~/.config/gdb && echo 'add-auto-load-safe-path %s' >> ~/.config/gdb/gdbinit",
                              directory));
    else
        doctor_add(doctor, "gdb", DOCTOR_GOOD, "gdb loads the scripts of mpilens", NULL);
    free(scripts);
}

/* Nothing else needs it. */
static void check_ncurses(struct doctor *doctor)
{
#ifdef HAVE_NCURSES
    doctor_add(doctor, "top", DOCTOR_GOOD, "built with ncurses", NULL);
#else
    doctor_add(doctor, "top", DOCTOR_LIMITED, "'mpilens top' was built without ncurses",
               "install libncurses-dev or ncurses-devel, then "
               "meson configure build -Dtop=enabled && meson install -C build");
#endif
}

static void check_debuginfod(struct doctor *doctor, const char *servers)
{
    if (servers != NULL && servers[0] != '\0')
        doctor_add(doctor, "debuginfod", DOCTOR_GOOD, arena_text("asked for debug information: %s", servers), NULL);
    else
        doctor_add(doctor, "debuginfod", DOCTOR_GOOD,
                   "not used; where places of libraries lack lines, set DEBUGINFOD_URLS", NULL);
}

void doctor_check_installation(struct doctor *doctor)
{
    check_dll(doctor);
    check_runtimes(doctor);
    check_compilers(doctor);
    check_gdb(doctor);
    check_ncurses(doctor);
    check_debuginfod(doctor, getenv("DEBUGINFOD_URLS"));
}
