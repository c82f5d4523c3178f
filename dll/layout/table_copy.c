/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads tables of the target in bulk: one fetch for the directory, one per chunk (large chunks in pieces, so that
 * nonsense sizes are found out before much memory is taken),
 * or as many as the order of its records needs (record_order.c).
 */
#include "layout/layout.h"

#include "target/target.h"

#include <string.h>

static const uint64_t directory_bytes_limit = UINT64_C(1) << 24;
static const uint32_t record_bytes_limit = 1u << 20;
static const size_t piece_bytes = (size_t)4 << 20;

static bool has_text(enum mpilens_struct number)
{
    const struct struct_shape *shape = &struct_shapes[number];
    for (uint32_t i = shape->first_field; i < shape->first_field + shape->field_count; i++)
        if (field_shapes[i].kind == SHAPE_TEXT)
            return true;
    return false;
}

/* Whether the target's bytes are our structs as they are. Not for structs with texts: these may lack their NUL, which
 * decoding adds. */
static bool plain(const struct offsets *offsets, const struct table_copy *copy)
{
    return offsets->same[copy->record_struct] && copy->record_bytes == copy->record_size &&
           !has_text(copy->record_struct);
}

/* One copy of the records of `block`, as our structs; `counts`: within the budget. */
static int read_records(const struct target *target, const struct offsets *offsets, const struct table_copy *copy,
                        const struct block *block, bool counts, uint8_t **ret_records)
{
    const size_t target_bytes = block->count * copy->record_bytes;
    uint8_t *bytes = allocate_array(block->count, copy->record_bytes);
    if (bytes == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    int code = counts ? target_copy(target, block->address, target_bytes, bytes)
                      : target_read(target, block->address, target_bytes, bytes);
    if (code == mqs_ok && counts)
        code = copy_budget_note(target->budget, bytes, target_bytes);
    if (code == mqs_ok && plain(offsets, copy)) { /* the usual case: one fetch, and no second copy */
        *ret_records = bytes;
        return mqs_ok;
    }
    uint8_t *records = NULL;
    if (code == mqs_ok && counts)
        code = copy_budget_take(target->budget, block->count * copy->record_size);
    if (code == mqs_ok) {
        records = allocate_array(block->count, copy->record_size);
        if (records == NULL)
            code = MPILENS_ERROR_NO_MEMORY;
        for (size_t i = 0; code == mqs_ok && i < block->count; i++)
            decode_struct(offsets, copy->record_struct, bytes + i * copy->record_bytes,
                          records + i * copy->record_size);
    }
    release(bytes);
    if (code == mqs_ok)
        *ret_records = records;
    return code;
}

/* Reads `block` (address and count are set), in the order in which its words must be read. */
static int read_block(const struct target *target, const struct offsets *offsets, const struct table_copy *copy,
                      struct block *block)
{
    const size_t count = record_order_copies(copy->record_struct);
    const size_t content = record_order_content(copy->record_struct);
    uint8_t *copies[MOST_COPIES] = {NULL};
    int code = mqs_ok;
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        code = read_records(target, offsets, copy, block, i == content, &copies[i]);
    for (size_t i = 0; code == mqs_ok && count > 1 && i < block->count; i++) {
        uint8_t *records[MOST_COPIES] = {NULL};
        for (size_t j = 0; j < count; j++)
            records[j] = copies[j] + i * copy->record_size;
        record_order_complete(copy->record_struct, records);
    }
    for (size_t i = 0; i < count; i++)
        if (code != mqs_ok || i != content)
            release(copies[i]);
    if (code == mqs_ok)
        block->records = copies[content];
    return code;
}

/* Reads the directory. *ret_chunks holds the chunks with something to read, by address. */
static int read_directory(const struct target *target, const struct offsets *offsets, const struct mpilens_table *table,
                          struct mpilens_chunk **ret_chunks, size_t *ret_count)
{
    const size_t chunk_bytes = offsets->struct_size[MPILENS_STRUCT_chunk];
    if (table->chunk_count > directory_bytes_limit / chunk_bytes)
        return MPILENS_ERROR_CORRUPT;
    uint8_t *bytes = allocate_array(table->chunk_count, chunk_bytes);
    struct mpilens_chunk *chunks = allocate_array(table->chunk_count, sizeof *chunks);
    struct sort_entry *order = allocate_array(table->chunk_count, sizeof *order);
    struct mpilens_chunk *sorted = allocate_array(table->chunk_count, sizeof *sorted);
    int code = MPILENS_ERROR_NO_MEMORY;
    if (bytes != NULL && chunks != NULL && order != NULL && sorted != NULL)
        code = target_copy(target, table->directory, table->chunk_count * chunk_bytes, bytes);
    size_t count = 0;
    for (uint32_t i = 0; code == mqs_ok && i < table->chunk_count; i++) {
        struct mpilens_chunk *chunk = &chunks[count];
        decode_struct(offsets, MPILENS_STRUCT_chunk, bytes + i * chunk_bytes, chunk);
        if (chunk->high_water > chunk->capacity)
            code = MPILENS_ERROR_CORRUPT;
        else if (chunk->in_use > 0 && chunk->high_water > 0) { /* else its memory may have gone back to the system */
            order[count] = (struct sort_entry){.major = chunk->records, .item = chunk};
            count++;
        }
    }
    /* Sorts chunks by address: those that overlap become neighbours, and a record is found by bisection. */
    if (code == mqs_ok)
        code = sort_entries(order, count);
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        sorted[i] = *(const struct mpilens_chunk *)order[i].item;
    release(bytes);
    release(chunks);
    release(order);
    if (code != mqs_ok) {
        release(sorted);
        return code;
    }
    *ret_chunks = sorted;
    *ret_count = count;
    return mqs_ok;
}

/* Checks the chunks, before any memory is taken for them, and says how many pieces they make. Chunks that overlap would
 * let little memory of the target become much of ours. */
static int check_chunks(const struct target *target, const struct table_copy *copy, const struct mpilens_chunk *chunks,
                        size_t chunk_count, size_t piece_records, size_t *ret_pieces)
{
    uint64_t end = 0;
    uint64_t bytes_in_all = 0;
    size_t pieces = 0;
    for (size_t i = 0; i < chunk_count; i++) {
        uint64_t bytes = (uint64_t)chunks[i].high_water * copy->record_bytes;
        if (!target_range_is_possible(target, chunks[i].records, bytes) || chunks[i].records < end)
            return MPILENS_ERROR_CORRUPT;
        bytes_in_all += bytes;
        if (bytes_in_all > target->budget->left)
            return MPILENS_ERROR_BEYOND_BUDGET;
        end = chunks[i].records + bytes;
        pieces += (chunks[i].high_water + piece_records - 1) / piece_records;
    }
    *ret_pieces = pieces;
    return mqs_ok;
}

static int read_chunks(const struct target *target, const struct offsets *offsets, struct table_copy *copy,
                       const struct mpilens_chunk *chunks, size_t chunk_count)
{
    const size_t piece_records = copy->record_bytes < piece_bytes ? piece_bytes / copy->record_bytes : 1;
    size_t pieces = 0;
    int code = check_chunks(target, copy, chunks, chunk_count, piece_records, &pieces);
    if (code != mqs_ok)
        return code;
    copy->blocks = allocate_array(pieces, sizeof *copy->blocks);
    if (copy->blocks == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < chunk_count; i++) {
        for (size_t done = 0; done < chunks[i].high_water; done += piece_records) {
            size_t left = chunks[i].high_water - done;
            struct block *block = &copy->blocks[copy->block_count];
            *block = (struct block){.address = chunks[i].records + (uint64_t)done * copy->record_bytes,
                                    .first = copy->record_count,
                                    .count = left < piece_records ? left : piece_records};
            /* Lets the next copy fetch ahead the room that the chunk may still grow into. */
            block->capacity = left > piece_records ? piece_records : chunks[i].capacity - done;
            code = read_block(target, offsets, copy, block);
            if (code != mqs_ok)
                return code;
            copy->block_count++;
            copy->record_count += block->count;
        }
    }
    return mqs_ok;
}

int table_copy_take(const struct target *target, const struct offsets *offsets, const struct mpilens_table *table,
                    enum mpilens_table_kind kind, struct table_copy *ret_copy)
{
    struct table_copy copy = {.record_struct = table_record_structs[kind], .record_bytes = table->record_bytes};
    copy.record_size = struct_shapes[copy.record_struct].size;
    const uint32_t target_size = offsets->struct_size[copy.record_struct];
    int code = mqs_ok;
    if (target_size > 0 && table->chunk_count > 0) {
        /* Records may be longer than their struct: behind a thread's struct, the runtime keeps private data. */
        if (table->record_bytes < target_size || table->record_bytes > record_bytes_limit)
            return MPILENS_ERROR_CORRUPT;
        struct mpilens_chunk *chunks = NULL;
        size_t chunk_count = 0;
        code = read_directory(target, offsets, table, &chunks, &chunk_count);
        if (code == mqs_ok)
            code = read_chunks(target, offsets, &copy, chunks, chunk_count);
        release(chunks);
    }
    if (code != mqs_ok) {
        table_copy_free(&copy);
        return code;
    }
    *ret_copy = copy;
    return mqs_ok;
}

void table_copy_free(struct table_copy *copy)
{
    for (size_t i = 0; i < copy->block_count; i++)
        release(copy->blocks[i].records);
    release(copy->blocks);
    memset(copy, 0, sizeof *copy);
}

/* The last block whose address or first record number is not above the given one. */
static const struct block *block_of(const struct table_copy *copy, uint64_t address, size_t number, bool by_address)
{
    size_t low = 0;
    size_t high = copy->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct block *block = &copy->blocks[middle];
        if (by_address ? block->address <= address : block->first <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &copy->blocks[low - 1] : NULL;
}

size_t table_copy_find(const struct table_copy *copy, uint64_t address)
{
    const struct block *block = address != 0 ? block_of(copy, address, 0, true) : NULL;
    if (block == NULL)
        return no_record;
    uint64_t distance = address - block->address;
    if (distance % copy->record_bytes != 0 || distance / copy->record_bytes >= block->count)
        return no_record;
    return block->first + (size_t)(distance / copy->record_bytes);
}

void *table_copy_record(const struct table_copy *copy, size_t number)
{
    const struct block *block = block_of(copy, 0, number, false);
    return block->records + (number - block->first) * copy->record_size;
}

uint64_t table_copy_address(const struct table_copy *copy, size_t number)
{
    const struct block *block = block_of(copy, 0, number, false);
    return block->address + (uint64_t)(number - block->first) * copy->record_bytes;
}

uint64_t table_copy_address_of(const struct table_copy *copy, const void *record)
{
    for (size_t i = 0; i < copy->block_count; i++) {
        const struct block *block = &copy->blocks[i];
        const uintptr_t distance = (uintptr_t)record - (uintptr_t)block->records;
        if ((uintptr_t)record >= (uintptr_t)block->records && distance / copy->record_size < block->count)
            return block->address + (uint64_t)(distance / copy->record_size) * copy->record_bytes;
    }
    return 0;
}

int table_copy_reread(const struct target *target, const struct offsets *offsets, struct table_copy *copy,
                      size_t number)
{
    struct block one = {.address = table_copy_address(copy, number), .count = 1};
    int code = read_block(target, offsets, copy, &one);
    if (code != mqs_ok)
        return code;
    memcpy(table_copy_record(copy, number), one.records, copy->record_size);
    release(one.records);
    return mqs_ok;
}
