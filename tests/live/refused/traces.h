/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The traces of all calls so far in the runtime of this process.
 */
#ifndef TESTS_REFUSED_TRACES_H
#define TESTS_REFUSED_TRACES_H

#include "mpilens/layout.h"

/* Its root. NULL: it is not in this process. */
const struct mpilens_process *traces_root(void);

/* Counts, ids, orders and everything that is not over, one line each. The caller frees it. */
char *traces_text(const struct mpilens_process *root);

/* The first line in which two texts differ, of the second; "" where that ends. */
void traces_difference(const char *before, const char *after, char *ret_line, size_t bytes);

/* The record of MPI_COMM_WORLD. NULL: there is none. */
const struct mpilens_communicator *traces_world(const struct mpilens_process *root);

/* The object of this kind that was made last: its record. */
const void *traces_newest(const struct mpilens_process *root, enum mpilens_table_kind kind);

#endif
