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

/* The kind of handle that a type of this name is of (enum mpilens_object_kind); MPILENS_OBJECT_NONE: none. */
uint32_t handle_kind_of_type(const char *type);

#endif
