/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The offset cache: where the target says that the fields of its structs are, checked once and then relied on.
 */
#ifndef MPILENS_DLL_LAYOUT_OFFSETS_H
#define MPILENS_DLL_LAYOUT_OFFSETS_H

#include "layout/shape.h"

#include <stdbool.h>

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

/* Largest root that is believed. */
#define MOST_ROOT_BYTES (1u << 20)

/* Checks the first MPILENS_PROCESS_FIXED_SIZE bytes of the root. mqs_ok, MPILENS_ERROR_CORRUPT, or
 * MPILENS_ERROR_OTHER_MAJOR. */
int root_header_load(const uint8_t *bytes, struct root_header *ret_header);

/* Checks the descriptors in the root, header.process_size bytes, and takes the offsets from them. mqs_ok or
 * MPILENS_ERROR_CORRUPT. */
int offsets_load(const struct root_header *header, const uint8_t *root, struct offsets *ret_offsets);

#endif
