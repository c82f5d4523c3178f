/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Guesses which MPI a program that is not linked with any comes to use. Libraries that it loads and programs that it
 * starts count more than its launcher: with the wrong runtime it would not be tracked.
 */
#include "launch/launch.h"

#include "base/base.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only the beginning of a script is looked at. */
enum { MOST_SCRIPT_BYTES = 1 << 16 };

/* The mpi4py that stands in a directory of modules; NULL: there is none. */
static const struct mpi_family *find_in_modules(const char *pattern)
{
    struct mpi_findings findings = {0};
    char *extension = format_text("%s/mpi4py/MPI*.so", pattern);
    glob_t found;
    if (glob(extension, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            mpi_findings_note(&findings, find_needed_mpi(found.gl_pathv[i]));
        globfree(&found);
    }
    free(extension);
    return mpi_findings_result(&findings);
}

/* Modules in PYTHONPATH come first, as Python finds them. */
static const struct mpi_family *find_in_python_path(void)
{
    const struct mpi_family *family = NULL;
    for (const char *path = getenv("PYTHONPATH"); path != NULL && *path != '\0' && family == NULL;) {
        const size_t length = strcspn(path, ":");
        char *directory = format_text("%.*s", (int)length, path);
        family = length > 0 ? find_in_modules(directory) : NULL;
        free(directory);
        path += length + (path[length] == ':');
    }
    return family;
}

/* Modules that belong to the interpreter in PREFIX/bin. */
static const struct mpi_family *find_in_prefix(const char *interpreter)
{
    static const char *const directories[] = {"lib/python3*/site-packages", "lib64/python3*/site-packages",
                                              "local/lib/python3*/dist-packages", "lib/python3*/dist-packages"};
    const struct mpi_family *family = NULL;
    const char *bin = strstr(interpreter, "/bin/");
    for (const char *next = bin; next != NULL; next = strstr(next + 1, "/bin/"))
        bin = next;
    for (size_t i = 0; bin != NULL && family == NULL && i < sizeof directories / sizeof *directories; i++) {
        char *pattern = format_text("%.*s/%s", (int)(bin - interpreter), interpreter, directories[i]);
        family = find_in_modules(pattern);
        free(pattern);
    }
    return family;
}

/* mpi4py that can load several says in its environment which it will; else the one that Python would find. */
static const struct mpi_family *find_by_python(const struct program *program)
{
    if (strncmp(file_name(program->binary), "python", 6) != 0)
        return NULL;
    const char *library = getenv("MPI4PY_LIBMPI");
    const struct mpi_family *family =
        library != NULL && library[0] != '\0' ? mpi_family_of_library(file_name(library)) : NULL;
    const char *abi = getenv("MPI4PY_MPIABI");
    if (family == NULL && abi != NULL)
        family = mpi_family_by_name(strcmp(abi, "impi") == 0 ? "mpich" : strcmp(abi, "mpiabi") == 0 ? "abi" : abi);
    if (family == NULL)
        family = find_in_python_path();
    if (family == NULL)
        family = find_in_prefix(program->binary);
    char *real = family == NULL ? realpath(program->binary, NULL) : NULL;
    if (real != NULL)
        family = find_in_prefix(real);
    free(real);
    return family;
}

static const struct mpi_family *family_of_launcher_path(const char *path)
{
    const struct mpi_family *family = mpi_family_of_launcher_program(file_name(path));
    char *real = family == NULL ? realpath(path, NULL) : NULL; /* mpiexec is a link to it */
    if (real != NULL)
        family = mpi_family_of_launcher_program(file_name(real));
    free(real);
    return family;
}

/* Names in a script that lead to a program with MPI, or start one: words that are paths, begin with mpi, or name a
 * launcher. */
static void look_at_word(const char *word, struct mpi_findings *programs, struct mpi_findings *launchers)
{
    bool exists;
    if (strchr(word, '/') == NULL && strncmp(word, "mpi", 3) != 0 && mpi_family_of_launcher_program(word) == NULL)
        return;
    char *path = search_program(word, &exists);
    if (path == NULL)
        return;
    const struct mpi_family *launcher = family_of_launcher_path(path);
    mpi_findings_note(launchers, launcher);
    if (launcher == NULL)
        mpi_findings_note(programs, find_needed_mpi(path));
    free(path);
}

/* The words of some text in whatever language. Changes the text. */
static void look_at_text(char *text, struct mpi_findings *programs, struct mpi_findings *launchers)
{
    static const char separators[] = " \t\r\n;|&()<>\"'`=,";
    char *place = NULL;
    for (char *word = strtok_r(text, separators, &place); word != NULL; word = strtok_r(NULL, separators, &place))
        look_at_word(word, programs, launchers);
}

static void look_at_script(const char *path, struct mpi_findings *programs, struct mpi_findings *launchers)
{
    FILE *file = fopen(path, "re");
    char *text = allocate(MOST_SCRIPT_BYTES + 1);
    const size_t length = file != NULL ? fread(text, 1, MOST_SCRIPT_BYTES, file) : 0;
    if (file != NULL)
        fclose(file);
    const bool is_text = length > 0 && memchr(text, '\0', length) == NULL;
    for (char *line = is_text ? text : NULL, *rest; line != NULL; line = rest) {
        rest = strchr(line, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        if (line[strspn(line, " \t")] != '#')
            look_at_text(line, programs, launchers);
    }
    free(text);
}

/* The arguments of a program that starts another: "nice ./app", "nice '/with blanks/app'", "sh -c 'cd run; ./app'". */
static void look_at_arguments(char *const *arguments, struct mpi_findings *programs, struct mpi_findings *launchers)
{
    for (; *arguments != NULL; arguments++) {
        char *text = copy_text(*arguments);
        look_at_word(text, programs, launchers);
        look_at_text(text, programs, launchers);
        free(text);
    }
}

const struct mpi_family *find_likely_mpi(const struct program *program, char *const *arguments)
{
    struct mpi_findings programs = {0};
    struct mpi_findings launchers = {0};
    const struct mpi_family *family = find_by_python(program);
    if (family == NULL && (!program->is_elf || strcmp(program->path, program->binary) != 0))
        look_at_script(program->path, &programs, &launchers);
    if (family == NULL)
        look_at_arguments(arguments, &programs, &launchers);
    if (family == NULL)
        family = mpi_findings_result(&programs);
    if (family == NULL)
        family = mpi_family_of_launcher();
    if (family == NULL)
        family = mpi_findings_result(&launchers);
    return family != NULL ? family : mpi_family_only_one("/etc/ld.so.cache");
}
