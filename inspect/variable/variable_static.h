/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The search for a variable among those with an address of their own.
 */
#ifndef MPILENS_INSPECT_VARIABLE_VARIABLE_STATIC_H
#define MPILENS_INSPECT_VARIABLE_VARIABLE_STATIC_H

#include "variable/variable_search.h"

/* Among those with an address of their own. */
void search_static(struct variable_search *search, enum search_level level);

#endif
