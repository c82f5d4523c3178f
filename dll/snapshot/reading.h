/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of one process at one time: what facts are made from.
 */
#ifndef MPILENS_DLL_SNAPSHOT_READING_H
#define MPILENS_DLL_SNAPSHOT_READING_H

#include "snapshot/snapshot.h"

struct reading {
    struct target target; /* for what is not copied */
    struct root root;
    struct function_table functions;
    struct snapshot snapshot; /* of the tables that were copied; the others are empty */
};

#endif
