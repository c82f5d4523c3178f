/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds a program and the MPI it needs, without running it.
 */
#include "launch/launch.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The kernel follows no longer chain of interpreters either. */
enum { MOST_INTERPRETERS = 4 };

static bool is_program(const char *path, bool *ret_exists)
{
    struct stat information;
    if (stat(path, &information) != 0)
        return false;
    *ret_exists = true;
    return S_ISREG(information.st_mode) && access(path, X_OK) == 0;
}

char *search_program(const char *name, bool *ret_exists)
{
    *ret_exists = false;
    if (strchr(name, '/') != NULL)
        return is_program(name, ret_exists) ? copy_text(name) : NULL;
    const char *path = getenv("PATH");
    for (const char *directory = path != NULL ? path : "/bin:/usr/bin"; *name != '\0'; directory++) {
        const size_t length = strcspn(directory, ":");
        char *candidate = length > 0 ? format_text("%.*s/%s", (int)length, directory, name) : format_text("./%s", name);
        if (is_program(candidate, ret_exists))
            return candidate;
        free(candidate);
        directory += length;
        if (*directory == '\0')
            break;
    }
    return NULL;
}

/* The next word of the text, which it terminates; *text then stands behind it. NULL: there is none. */
static char *next_word(char **text)
{
    char *word = *text + strspn(*text, " \t");
    char *end = word + strcspn(word, " \t");
    *text = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return *word != '\0' ? word : NULL;
}

/* The program that env in a first line becomes, from its arguments. NULL: not found. */
static const char *find_program_of_env(char *arguments)
{
    bool exists;
    for (const char *word = next_word(&arguments); word != NULL; word = next_word(&arguments))
        if (word[0] != '-' && strchr(word, '=') == NULL)
            return arena_take(search_program(word, &exists));
    return NULL;
}

/* The interpreter that the first line of a script names; NULL: it is no such script. */
static const char *find_interpreter(const char *path)
{
    char line[PATH_MAX + 2];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, line, sizeof line - 1) : -1;
    if (file >= 0)
        close(file);
    if (length < 2 || line[0] != '#' || line[1] != '!')
        return NULL;
    line[length] = '\0';
    line[2 + strcspn(line + 2, "\n")] = '\0';
    char *rest = line + 2;
    const char *interpreter = next_word(&rest);
    if (interpreter == NULL)
        return NULL;
    const char *found = strcmp(file_name(interpreter), "env") == 0 ? find_program_of_env(rest) : NULL;
    return found != NULL ? found : arena_copy(interpreter);
}

static bool changes_privileges(const char *path)
{
    struct stat information;
    if (stat(path, &information) != 0)
        return false;
    return ((information.st_mode & S_ISUID) != 0 && information.st_uid != getuid()) ||
           ((information.st_mode & S_ISGID) != 0 && information.st_gid != getgid()) ||
           (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

static void look_at_elf(struct program *program, Elf *elf)
{
    GElf_Ehdr header;
    size_t count = 0;
    if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL || elf_getphdrnum(elf, &count) != 0)
        return;
    program->is_elf = true;
    program->is_static = true;
    program->elf_class = header.e_ident[EI_CLASS];
    program->machine = header.e_machine;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, (int)i, &segment) != NULL && segment.p_type == PT_INTERP)
            program->is_static = false;
    }
}

static void look_at_binary(struct program *program)
{
    elf_version(EV_CURRENT);
    const int file = open(program->binary, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return; /* executable but not readable: it is started without a check */
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    if (elf != NULL) {
        look_at_elf(program, elf);
        elf_end(elf);
    }
    close(file);
    if (program->is_elf && !program->is_static)
        program->mpi = find_needed_mpi(program->binary);
    program->has_mpi_inside = program->is_elf && program->mpi == NULL && has_mpi_inside(program->binary);
    program->never_uses_mpi = program->is_elf && !program->is_static && program->mpi == NULL &&
                              !program->has_mpi_inside && !may_come_to_use_mpi(program->binary);
}

enum exit_status program_inspect(const char *name, struct program *ret_program, struct reason *ret_reason)
{
    bool exists;
    struct program program = {.path = arena_take(search_program(name, &exists))};
    if (program.path == NULL) {
        reason_set(ret_reason, "%s: %s", name, exists ? "not an executable file" : "program not found");
        return exists ? EXIT_NOT_EXECUTABLE : EXIT_NOT_FOUND;
    }
    program.binary = program.path;
    for (int i = 0; i < MOST_INTERPRETERS; i++) {
        const char *interpreter = find_interpreter(program.binary);
        if (interpreter == NULL)
            break;
        program.binary = interpreter;
    }
    program.is_privileged = changes_privileges(program.binary);
    look_at_binary(&program);
    *ret_program = program;
    return EXIT_GOOD;
}
