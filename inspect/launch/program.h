/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that is about to be started: where it is, what kind of file it is and which MPI it needs, found out without
 * running any of it.
 */
#ifndef MPILENS_INSPECT_LAUNCH_PROGRAM_H
#define MPILENS_INSPECT_LAUNCH_PROGRAM_H

#include "base/exit_status.h"
#include "base/reason.h"
#include "launch/mpi_family.h"

#include <stdbool.h>

struct program {
    char *path;                   /* to be executed */
    char *binary;                 /* the same, or the interpreter of a script; what the preload must suit */
    bool is_elf;                  /* binary is an ELF file; else a shell will read it */
    bool is_static;               /* it has no dynamic linker */
    bool is_privileged;           /* it changes user, group or capabilities */
    int elf_class;                /* ELFCLASS32, ELFCLASS64 */
    int machine;                  /* EM_* */
    const struct mpi_family *mpi; /* NULL: it is not linked with any */
    bool has_mpi_inside;          /* all of one, as with -static-mpi; not known where it is stripped */
    bool never_uses_mpi;          /* nor can it load one, or become or start a program that has one */
};

/* Finds the program as a shell does and looks at it. EXIT_GOOD and a program to be cleared, or EXIT_NOT_FOUND or
 * EXIT_NOT_EXECUTABLE and a reason. */
enum exit_status program_inspect(const char *name, struct program *ret_program, struct reason *ret_reason);
void program_clear(struct program *program);

/* As a shell searches for `name`; the caller frees it. NULL:
 * not found; *ret_exists then says whether something that cannot be executed was. */
char *search_program(const char *name, bool *ret_exists);

#endif
