/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the handle in a variable of the program.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_HANDLE_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_HANDLE_H

#include "base/reason.h"
#include "handle/handle.h"
#include "variable/variable_find.h"

/* Replaces the name in the query by kind, value and language of the variable. The caller frees *ret_variable, which
 * says what was found: "row (MPI_Comm in main)". 0, or -1 and a reason. */
int handle_query_variable(struct target *target, bool is_stopped, struct handle_query *query, char **ret_variable,
                          struct reason *ret_reason);

#endif
