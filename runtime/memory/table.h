/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chunked tables: where published records live. A table is a directory of chunks, each twice as large as the one before
 * (up to a megabyte); a record keeps its address for the life of the process. Taking and giving back happen in batches
 * or for rare objects only, so these functions lock.
 */
#ifndef MPILENS_RUNTIME_MEMORY_TABLE_H
#define MPILENS_RUNTIME_MEMORY_TABLE_H

#include "mpilens/layout.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets the distance between records, at least the size of the kind's struct. Before the first table_take. */
void table_set_record_bytes(enum mpilens_table_kind kind, size_t record_bytes);

/* Takes up to `wanted` records, zeroed or as they were given back, state 0. Returns how many: fewer where the memory
 * limit says so (the caller counts what it cannot track). */
size_t table_take(enum mpilens_table_kind kind, size_t wanted, void **ret_records);

/* One record, or NULL; then it is counted in the table's `untracked`. */
void *table_take_one(enum mpilens_table_kind kind);

/* Gives back records; their state becomes 0. A chunk of which all are back is given to the system and reads as zeros.
 */
void table_give_back(enum mpilens_table_kind kind, void *const *records, size_t count);

void table_give_back_one(enum mpilens_table_kind kind, void *record);

/* Gives back one that was never published, or only just: it is counted in the table's `untracked`. */
void table_give_back_untracked(enum mpilens_table_kind kind, void *record);

/* Calls `visit` for every record that was handed out, published or not, until it returns false. Other threads may take,
 * publish and withdraw records meanwhile. */
void table_visit(enum mpilens_table_kind kind, bool (*visit)(void *record, void *context), void *context);

#endif
