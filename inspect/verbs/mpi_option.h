/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The option --mpi of the verbs that start programs.
 */
#ifndef MPILENS_INSPECT_VERBS_MPI_OPTION_H
#define MPILENS_INSPECT_VERBS_MPI_OPTION_H

#include "launch/mpi_family.h"

#include <argp.h>

/* A parser for the children of another one, which gives it a const struct mpi_family ** as its input: what --mpi says
 * goes there. */
extern const struct argp mpi_option_parser;

#endif
