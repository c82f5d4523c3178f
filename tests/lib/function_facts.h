/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The facts in the table of MPI functions (runtime/api/functions.tsv), for fake processes and for models that tests
 * make by hand.
 */
#ifndef MPILENS_TESTS_FUNCTION_FACTS_H
#define MPILENS_TESTS_FUNCTION_FACTS_H

#include "mpilens/layout.h"

/* The function of this name; no function (name "", collective_class -1) where the table has none. Constant. */
const struct mpilens_function *function_facts(const char *name);
/* The name of the function of which this is the large-count variant; "": none. */
const char *function_facts_small_count(const struct mpilens_function *function);

#endif
