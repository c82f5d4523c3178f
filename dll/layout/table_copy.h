/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A copy of one table of the target: its records as our structs, and where they stand in the target.
 */
#ifndef MPILENS_DLL_LAYOUT_TABLE_COPY_H
#define MPILENS_DLL_LAYOUT_TABLE_COPY_H

#include "layout/offsets.h"
#include "target/target.h"

/* Records that stand in a row in the target: a chunk, or a piece of a large one. */
struct block {
    uint64_t address; /* of the first record */
    size_t first;     /* its number in the copy */
    size_t count;     /* of records */
    size_t capacity;  /* records that there is room for, not less */
    uint8_t *records; /* ours: count * record_size bytes */
};

struct table_copy {
    enum mpilens_struct record_struct;
    size_t record_size;    /* of our struct */
    uint32_t record_bytes; /* distance between records in the target */
    struct block *blocks;  /* by address; they do not overlap */
    size_t block_count;
    size_t record_count;
};

static const size_t no_record = SIZE_MAX;

/* Copies all that `table` of the target holds. On anything but mqs_ok nothing is kept. */
int table_copy_take(const struct target *target, const struct offsets *offsets, const struct mpilens_table *table,
                    enum mpilens_table_kind kind, struct table_copy *ret_copy);

/* Frees the copy and leaves an empty one; takes an empty one. */
void table_copy_free(struct table_copy *copy);

/* Copies one record again. */
int table_copy_reread(const struct target *target, const struct offsets *offsets, struct table_copy *copy,
                      size_t number);

/* Number of the record that stands at this address of the target, or no_record. */
size_t table_copy_find(const struct table_copy *copy, uint64_t address);

/* The record with this number, less than record_count. */
void *table_copy_record(const struct table_copy *copy, size_t number);

/* Its address in the target. */
uint64_t table_copy_address(const struct table_copy *copy, size_t number);

/* Address in the target of a record of the copy, given as where it stands in our memory; 0: it is not of this copy. */
uint64_t table_copy_address_of(const struct table_copy *copy, const void *record);

/* A way through the records of a copy, by their numbers. Zero-initialised: before the first. */
struct table_position {
    size_t block;
    size_t next;   /* in that block */
    size_t number; /* of the record that was delivered last */
};

/* The next record, published or not; NULL: there is none. */
static inline void *table_copy_next(const struct table_copy *copy, struct table_position *position)
{
    for (; position->block < copy->block_count; position->block++, position->next = 0) {
        const struct block *block = &copy->blocks[position->block];
        if (position->next < block->count) {
            position->number = block->first + position->next;
            return block->records + position->next++ * copy->record_size;
        }
    }
    return NULL;
}

#endif
