/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The verbs by their names.
 */
#ifndef MPILENS_INSPECT_VERBS_VERB_TABLE_H
#define MPILENS_INSPECT_VERBS_VERB_TABLE_H

#include "base/exit_status.h"

#include <stdbool.h>
#include <stddef.h>

struct verb {
    const char *name;
    const char *summary; /* NULL: mpilens itself uses it on other hosts */
    enum exit_status (*function)(int argument_count, char **arguments);
    bool only_reads;
};

/* In the order of the help. */
extern const struct verb verbs[];
extern const size_t verb_count;

/* NULL: there is none. */
const struct verb *verb_find(const char *name);
/* The name of the one that was probably meant; NULL: none is like it. */
const char *verb_find_similar(const char *name);

#endif
