/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The value of a variable.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_VALUE_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_VALUE_H

#include "variable/variable_place.h"

/* Reads what stands there. 0, or -1 and a reason. */
int program_place_read(const struct program_place *found, const char *text, struct program_variable *ret_variable,
                       struct reason *ret_reason);

#endif
