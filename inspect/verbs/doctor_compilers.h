/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The compilers of MPI in PATH.
 */
#ifndef MPILENS_INSPECT_VERBS_DOCTOR_COMPILERS_H
#define MPILENS_INSPECT_VERBS_DOCTOR_COMPILERS_H

#include "launch/mpi_family.h"

#include <stddef.h>

struct doctor_compiler {
    char *path;
    const struct mpi_family *family; /* of its mpi.h; NULL: not known */
};

struct doctor_compilers {
    struct doctor_compiler *items; /* one of each MPI */
    size_t count;
};

struct doctor_compilers doctor_find_compilers(void);
void doctor_compilers_clear(struct doctor_compilers *compilers);

#endif
