/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A variable as the user writes it, in parts.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_NAME_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_NAME_H

#include "base/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_STEPS = 16, MOST_INDICES = 8, MOST_NAME = 128 };

/* A member, or an element. */
struct program_step {
    char member[MOST_NAME]; /* empty: an element */
    int64_t indices[MOST_INDICES];
    size_t index_count;
};

struct program_name {
    unsigned dereferences;
    char scope[MOST_NAME]; /* file, function or module; empty: any */
    char name[MOST_NAME];
    struct program_step steps[MOST_STEPS];
    size_t step_count;
};

/* 0, or -1 and a reason. */
int program_name_parse(const char *text, struct program_name *ret_name, struct reason *ret_reason);

#endif
