/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A target process made of bytes: the shadow state as a runtime of another byte order, word size or layout version
 * would have written it. Made of layout.def through the shapes of the DLL, which the test of the layout checks on their
 * own.
 *
 * Wrong use (no room, unknown address) aborts.
 */
#ifndef MPILENS_FAKE_TARGET_H
#define MPILENS_FAKE_TARGET_H

#include "mpilens/layout.h"

#include <stdbool.h>
#include <stddef.h>

struct fake_options {
    bool big_endian;
    uint32_t word_size;      /* 0: 8 */
    uint16_t minor;          /* added to MPILENS_LAYOUT_MINOR */
    uint32_t appended_bytes; /* a new last field of this size in every struct but the descriptors */
    uint32_t extra_structs;  /* structs after ours */
    uint32_t extra_tables;   /* kinds of tables after ours */
    bool reversed;           /* fields stand the other way round (not in process and in descriptors) */
    uint32_t record_padding; /* bytes between records of a table */
    uint32_t chunk_capacity; /* 0: 16 records */
    size_t memory_bytes;     /* 0: 1 MiB */
    /* So many of the last fields of a struct do not exist yet. */
    uint32_t missing_fields[MPILENS_STRUCT_COUNT];
};

enum { FAKE_FUNCTION_LIMIT = 64, FAKE_CHUNK_LIMIT = 1 << 10 };

struct fake_field {
    uint32_t offset;
    uint32_t size; /* 0: missing */
};

struct fake_table {
    struct mpilens_chunk *chunks; /* FAKE_CHUNK_LIMIT of them */
    uint32_t chunk_count;
    uint32_t record_bytes;
};

struct fake_target {
    struct fake_options options;
    uint8_t *memory;
    uint64_t base; /* address of memory[0] */
    size_t used;
    uint64_t root; /* address of mpilens_process */
    uint32_t struct_size[MPILENS_STRUCT_COUNT];
    struct fake_field fields[MPILENS_FIELD_COUNT];
    struct fake_table tables[MPILENS_TABLE_COUNT];
    struct mpilens_function functions[FAKE_FUNCTION_LIMIT];
    uint32_t function_count;
    /* For the caller to fill; descriptors, tables and functions are filled by fake_target_publish. */
    struct mpilens_process process;
};

/* A target with an empty state and a process record of plausible values. */
struct fake_target *fake_target_create(const struct fake_options *options);
void fake_target_destroy(struct fake_target *target);

/* Adds a record (our struct) to a table and returns its address. */
uint64_t fake_target_add(struct fake_target *target, enum mpilens_table_kind kind, const void *record);

/* Writes a struct (ours) to an address. */
void fake_target_put(struct fake_target *target, enum mpilens_struct number, uint64_t address, const void *record);

/* Writes one field of the struct at an address: the integer's lowest bytes. */
void fake_target_put_field(struct fake_target *target, uint64_t struct_address, enum mpilens_field field,
                           uint64_t value);

/* Writes an integer of 1 to 8 bytes to an address. */
void fake_target_put_integer(struct fake_target *target, uint64_t address, size_t bytes, uint64_t value);

/* Fresh zeroed memory of the target. */
uint64_t fake_target_reserve(struct fake_target *target, size_t bytes);

/* The bytes at an address; aborts if there are fewer. */
uint8_t *fake_target_bytes(struct fake_target *target, uint64_t address, size_t bytes);

/* Whether the target has these addresses. */
bool fake_target_has(const struct fake_target *target, uint64_t address, size_t bytes);

/* Adds an MPI function and returns its number. */
uint32_t fake_target_function(struct fake_target *target, const char *name, enum mpilens_call_class call_class,
                              uint32_t flags);

/* Writes the root, the directories and the functions. May be called again after changes. */
void fake_target_publish(struct fake_target *target);

#endif
