/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root of the shadow state: mpilens_process in the target.
 */
#ifndef MPILENS_DLL_LAYOUT_ROOT_H
#define MPILENS_DLL_LAYOUT_ROOT_H

#include "layout/offsets.h"
#include "target/target.h"

struct root {
    uint64_t address; /* in the target, 0: not found yet */
    uint8_t *bytes;   /* offsets.header.process_size of them, as last read; NULL: never */
    struct offsets offsets;
    struct mpilens_process process;
    bool is_decoded; /* `process` is what `bytes` say */
};

/* Reads the root anew, one fetch unless its size is not known yet, checks it and sets target->word_size. mqs_ok,
 * MPILENS_ERROR_UNREADABLE, _CORRUPT, _OTHER_MAJOR or _NO_MEMORY; on those, nothing in `root` counts but its address.
 */
int root_read(struct target *target, struct root *root);

/* Reads what the process is, without its tables and, where its layout is ours, without its descriptors: less than a
 * kilobyte. As root_read; what was not read is 0. */
int root_identify(struct target *target, struct root *root, struct mpilens_process *ret_process);

/* Reads only the heads of the tables anew. */
int root_read_tables(const struct target *target, struct root *root);

void root_free(struct root *root);

/* The table of MPI functions. Constant while the process lives. */
struct function_table {
    uint64_t address;
    uint32_t count;
    struct mpilens_function *functions;
};

/* Reads the table if it was not read before. */
int function_table_read(const struct target *target, const struct root *root, struct function_table *table);

/* The function with this number; number 0's (no name) where there is none. */
const struct mpilens_function *function_table_get(const struct function_table *table, uint32_t number);

void function_table_free(struct function_table *table);

#endif
