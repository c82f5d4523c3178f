/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The option --error-exitcode of the verbs that start programs, and the variable MPILENS_ERROR_EXITCODE.
 */
#ifndef MPILENS_INSPECT_VERBS_ERROR_EXITCODE_H
#define MPILENS_INSPECT_VERBS_ERROR_EXITCODE_H

#include <argp.h>

/* A parser for the children of another one, which gives it an int * as its input: what --error-exitcode says goes
 * there, from 1 to 125. */
extern const struct argp error_exitcode_parser;

/* What the environment says; 0: nothing that could be one. */
int error_exitcode_of_environment(void);
/* Says it to what is started from now on, and that leaks are to be looked for. */
void error_exitcode_export(int status);

#endif
