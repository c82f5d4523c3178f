/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens run: becomes the program, with the runtime for its MPI preloaded. Says nothing unless it cannot work.
 */
#include "allocation.h"
#include "installation.h"
#include "linked_runtime.h"
#include "program.h"
#include "verbs.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run_options {
    const struct mpi_family *mpi; /* NULL: what the program is linked with */
    char **program;               /* and its arguments */
};

static const char documentation[] =
    "Start PROGRAM with the mpilens runtime in it, so that the other verbs can read it. Stands behind the launcher, "
    "once per "
    "rank:\n"
    "  mpiexec -n 4 mpilens run ./app input\v"
    "The runtime that belongs to the MPI library of PROGRAM is put in front of LD_PRELOAD; the program, its arguments, "
    "output and exit status stay the same. Of Python it is the one that its mpi4py is linked with, of a "
    "script the one of the MPI programs that it starts, else that of the launcher, else the only one that is "
    "installed; "
    "--mpi says it where these are wrong.\n\n"
    "Exit status: that of PROGRAM; 2 wrong usage; 3 PROGRAM cannot be tracked (no MPI, static, other user, other "
    "machine, runtime not installed); 126 PROGRAM is not executable; 127 PROGRAM was not found.";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct run_options *options = state->input;
    switch (key) {
    case 'm':
        options->mpi = mpi_family_by_name(argument);
        if (options->mpi == NULL)
            argp_error(state, "--mpi takes mpich, openmpi or abi, not '%s'", argument);
        return 0;
    case ARGP_KEY_ARG:
        options->program = &state->argv[state->next - 1];
        state->next = state->argc; /* the rest is the program's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which program?");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static char *find_runtime(const struct mpi_family *family, struct reason *ret_reason)
{
    char *library = format_text("libmpilens-%s.so", family->name);
    char *path = installation_find(library, "runtime", ret_reason);
    free(library);
    return path;
}

/* The only one whose runtime is installed; NULL and a reason: none, or several. */
static const struct mpi_family *find_only_installed(struct reason *ret_reason)
{
    struct mpi_findings installed = {0};
    struct reason ignored;
    for (size_t i = 0; i < mpi_family_count; i++) {
        char *runtime = find_runtime(&mpi_families[i], &ignored);
        if (runtime != NULL)
            mpi_findings_note(&installed, &mpi_families[i]);
        free(runtime);
    }
    if (installed.family == NULL)
        reason_set(ret_reason, "no mpilens runtime is installed");
    else if (installed.several)
        reason_set(ret_reason, "the program is not linked with MPI: say which one it will load with --mpi");
    return mpi_findings_result(&installed);
}

static char *choose_runtime(const struct run_options *options, const struct program *program, struct reason *ret_reason)
{
    const struct mpi_family *family = options->mpi != NULL ? options->mpi : program->mpi;
    if (family == NULL)
        family = find_likely_mpi(program, options->program + 1);
    if (family == NULL)
        family = find_only_installed(ret_reason);
    if (family == NULL)
        return NULL;
    struct reason reason;
    char *runtime = find_runtime(family, &reason);
    if (runtime == NULL)
        reason_set(ret_reason, "%s needs the runtime for %s: %s", program->path, family->title, reason.text);
    return runtime;
}

static int check_program(const struct program *program, struct reason *ret_reason)
{
    if (program->is_elf && program->is_static)
        return reason_set(ret_reason,
                          "%s is statically linked, so nothing can be preloaded into it: link it dynamically (without "
                          "-static)",
                          program->binary);
    if (program->is_privileged)
        return reason_set(ret_reason,
                          "%s changes its user, group or capabilities when it starts, so the system ignores preloaded "
                          "libraries: start a copy without set-user-ID, set-group-ID and file capabilities",
                          program->binary);
    if (program->never_uses_mpi)
        return reason_set(
            ret_reason, "%s uses no MPI: it is not linked with one and can neither load one nor start another program",
            program->binary);
    return 0;
}

static int check_runtime(const struct program *program, const char *runtime, struct reason *ret_reason)
{
    struct program library = {0};
    struct reason ignored;
    if (strpbrk(runtime, " :;$") != NULL)
        return reason_set(ret_reason,
                          "%s cannot be preloaded, because LD_PRELOAD takes no space, colon or dollar sign in a path: "
                          "install mpilens elsewhere",
                          runtime);
    if (program->is_elf && program_inspect(runtime, &library, &ignored) == EXIT_GOOD && library.is_elf &&
        (library.elf_class != program->elf_class || library.machine != program->machine)) {
        program_clear(&library);
        return reason_set(ret_reason, "%s is a program for another kind of processor than %s", program->binary,
                          runtime);
    }
    program_clear(&library);
    return 0;
}

static void preload(const char *runtime)
{
    const char *others = getenv("LD_PRELOAD");
    const size_t length = strlen(runtime);
    if (others != NULL && strncmp(others, runtime, length) == 0 && (others[length] == '\0' || others[length] == ':'))
        return; /* run within run */
    char *all = others != NULL && others[0] != '\0' ? format_text("%s:%s", runtime, others) : copy_text(runtime);
    setenv("LD_PRELOAD", all, 1);
    free(all);
}

/* False: the reason was printed. */
static bool prepare(const struct run_options *options, const struct program *program)
{
    struct reason reason;
    char *runtime = NULL;
    if (program->is_elf && has_linked_runtime(program->binary))
        return true;
    if (check_program(program, &reason) == 0)
        runtime = choose_runtime(options, program, &reason);
    const bool good = runtime != NULL && check_runtime(program, runtime, &reason) == 0;
    if (good)
        preload(runtime);
    else
        fprintf(stderr, "mpilens run: %s\n", reason.text);
    free(runtime);
    return good;
}

static enum exit_status start(const struct run_options *options, const struct program *program)
{
    if (!prepare(options, program))
        return EXIT_UNREADABLE;
    execvp(program->path, options->program); /* also gives a file without a format to the shell */
    fprintf(stderr, "mpilens run: %s: %s\n", program->path, strerror(errno));
    return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

enum exit_status verb_run(int argument_count, char **arguments)
{
    static const struct argp_option argp_options[] = {
        {"mpi", 'm', "NAME", 0, "The MPI that the program will load: mpich, openmpi or abi (default: the one it needs)",
         0},
        {0},
    };
    static const struct argp argp = {.options = argp_options,
                                     .parser = parse_option,
                                     .args_doc = "[--] PROGRAM [ARGUMENT...]",
                                     .doc = documentation};
    struct run_options options = {0};
    char name[] = "mpilens run";
    arguments[0] = name;
    argp_parse(&argp, argument_count, arguments, ARGP_IN_ORDER, NULL, &options);
    struct program program;
    struct reason reason;
    enum exit_status status = program_inspect(options.program[0], &program, &reason);
    if (status != EXIT_GOOD) {
        fprintf(stderr, "mpilens run: %s\n", reason.text);
        return status;
    }
    status = start(&options, &program);
    program_clear(&program);
    return status;
}
