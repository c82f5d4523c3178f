/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Root, offsets out of the descriptors, decoding, copies of tables.
 */
#ifndef MPILENS_DLL_LAYOUT_LAYOUT_H
#define MPILENS_DLL_LAYOUT_LAYOUT_H

#include "mpilens/layout.h"
#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>

/* -- shape.c --
 * The structs of layout.def as this DLL was compiled with them: where each field stands and what it is made of.
 */

enum shape_kind { SHAPE_UNSIGNED, SHAPE_SIGNED, SHAPE_TEXT, SHAPE_NESTED };

struct field_shape {
    uint32_t offset;        /* in the struct, bytes */
    uint32_t element_bytes; /* of one integer, character or nested struct */
    uint32_t elements;
    uint8_t kind;   /* enum shape_kind */
    uint8_t nested; /* enum mpilens_struct, of SHAPE_NESTED */
};

struct struct_shape {
    uint32_t size;
    uint32_t first_field; /* enum mpilens_field */
    uint32_t field_count;
};

extern const struct field_shape field_shapes[MPILENS_FIELD_COUNT];
extern const struct struct_shape struct_shapes[MPILENS_STRUCT_COUNT];

/* The struct of the records of each table. */
extern const enum mpilens_struct table_record_structs[MPILENS_TABLE_COUNT];

/* -- offsets.c --
 * The offset cache: where the target says that the fields of its structs are, checked once and then relied on.
 */

/* The fields of the root that are the same in every layout, beside the magic. */
struct root_header {
    bool big_endian;
    uint16_t layout_major;
    uint16_t layout_minor;
    uint32_t word_size;
    uint32_t process_size;
    uint32_t structs_offset;
    uint32_t struct_count;
    uint32_t fields_offset;
    uint32_t field_count;
};

struct field_place {
    uint32_t offset;
    uint32_t size; /* 0: this target does not have the field */
};

struct offsets {
    struct root_header header;
    uint32_t struct_size[MPILENS_STRUCT_COUNT]; /* in the target; 0: it does not have the struct */
    bool same[MPILENS_STRUCT_COUNT];            /* the target's struct begins with exactly our struct */
    struct field_place fields[MPILENS_FIELD_COUNT];
};

/* Larger roots are treated as corrupt. */
#define MOST_ROOT_BYTES (1u << 20)

/* Checks the first MPILENS_PROCESS_FIXED_SIZE bytes of the root. mqs_ok, MPILENS_ERROR_CORRUPT, or
 * MPILENS_ERROR_OTHER_MAJOR. */
int root_header_load(const uint8_t *bytes, struct root_header *ret_header);

/* Checks the descriptors in the root, header.process_size bytes, and takes the offsets from them. mqs_ok or
 * MPILENS_ERROR_CORRUPT. */
int offsets_load(const struct root_header *header, const uint8_t *root, struct offsets *ret_offsets);

/* -- decode.c --
 * Turns bytes of the target into our structs.
 */

#define HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* The unsigned integer of 1 to 8 bytes. */
uint64_t decode_integer(const uint8_t *bytes, size_t size, bool big_endian);

/* Turns the target's struct `number` at `bytes`, offsets->struct_size[number] bytes long, into ours. Fields that the
 * target does not have become "not known": -1 where signed, else 0. Text is terminated. */
void decode_struct(const struct offsets *offsets, enum mpilens_struct number, const uint8_t *bytes, void *ret_struct);

/* -- record_order.c --
 * In which order the words of a record must be read while its owner may be writing it.
 *
 * One copy of memory has no order: a processor, and what copies, may load its words as they like. Only what is read by
 * one copy is read before what is read by the next. Where loads have no order (target/target.h) a record is copied
 * several times in a row, most of it counts in one of these copies (the content), and the words that order the rest in
 * others. tests/memory_order/ has the model: it takes the writer's order from the runtime and the reader's from here.
 */

enum { MOST_COPIES = 5 };

/* How many copies are taken of records of this struct, one after the other, and which of them is the content. One where
 * loads are ordered. */
size_t record_order_copies(enum mpilens_struct number);
size_t record_order_content(enum mpilens_struct number);

/* Completes the record in copies[record_order_content()] by what the others, all as our struct, say. A record that was
 * given to something else meanwhile becomes unpublished; of operations, posted and posted_check tell. */
void record_order_complete(enum mpilens_struct number, uint8_t *const copies[]);

/* -- root.c --
 * The root of the shadow state: mpilens_process in the target.
 */

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

/* Reads the identity of the process without its tables, and without its descriptors if it has our layout: less than a
 * kilobyte. As root_read; fields that were not read are 0. */
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

/* -- serial_records.c --
 * Arrays of the target whose records begin with a serial: it is 0 while one is written, and written first and last.
 */

/* The `count` structs at `address`, each `record_bytes` as our own, which begins with the serial, too: 0 where one was
 * being written. mqs_no_information: the target has no such struct; or a code of reading. */
int serial_records_read(const struct target *target, const struct root *root, enum mpilens_struct number,
                        uint64_t address, size_t count, void *ret_records, size_t record_bytes);

/* -- table_copy.c --
 * A copy of one table of the target: its records as our structs, and where they stand in the target.
 */

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
