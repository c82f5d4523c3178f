/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of doctor/ only.
 */
#ifndef MPILENS_INSPECT_DOCTOR_DOCTOR_INTERNAL_H
#define MPILENS_INSPECT_DOCTOR_DOCTOR_INTERNAL_H

#include "doctor/doctor.h"
#include "launch/launch.h"

#include <stdbool.h>

/* -- doctor.c --
 */

/* Both texts last as long as the checks. */
void doctor_add(struct doctor *doctor, const char *name, enum doctor_state state, const char *text, const char *remedy);

/* Runs a program for at most `limit_s`, without standard input. Its output and errors are in *ret_output; true: it has
 * exited with status 0. */
bool doctor_ask(const char *const *words, double limit_s, const char **ret_output);

/* -- doctor_compilers.c --
 * The compilers of MPI in PATH.
 */

struct doctor_compiler {
    const char *path;
    const struct mpi_family *family; /* of its mpi.h; NULL: not known */
};

struct doctor_compilers {
    struct doctor_compiler *items; /* one of each MPI */
    size_t count;
};

struct doctor_compilers doctor_find_compilers(void);

#endif
