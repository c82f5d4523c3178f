/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a Python program ends, in words that follow what its process does: "is in MPI_Finalize, after its Python program
 * has ended with status 2".
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_END_H
#define MPILENS_INSPECT_PYTHON_PYTHON_END_H

#include "python/python_stacks.h"

/* The exit status, or one of these. */
enum { PYTHON_STATUS_UNKNOWN = -1, PYTHON_STATUS_OF_EXIT = -2 /* that of a call of sys.exit() */ };

/* "after the uncaught exception ValueError: no cell", "while Python shuts down". NULL: it runs. The caller frees it. */
char *python_describe_end(const struct python_stacks *stacks, int status);
/* Whether nothing has caught an exception. */
bool python_has_failed(const struct python_stacks *stacks, int status);

#endif
