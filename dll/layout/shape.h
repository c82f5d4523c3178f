/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The structs of layout.def as this DLL was compiled with them: where each field stands and what it is made of.
 */
#ifndef MPILENS_DLL_LAYOUT_SHAPE_H
#define MPILENS_DLL_LAYOUT_SHAPE_H

#include "mpilens/layout.h"

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

/* What the records of each table are. */
extern const enum mpilens_struct table_record_structs[MPILENS_TABLE_COUNT];

#endif
