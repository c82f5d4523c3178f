/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of shape.h, made of layout.def.
 */
#include "shape.h"

#define KIND(type) _Generic((type)0, char : SHAPE_TEXT, default : (type)-1 < (type)1 ? SHAPE_SIGNED : SHAPE_UNSIGNED)

const struct field_shape field_shapes[MPILENS_FIELD_COUNT] = {
#define MPILENS_STRUCT(name)
#define MPILENS_FIELD(name, type, field) {offsetof(struct mpilens_##name, field), sizeof(type), 1, KIND(type), 0},
#define MPILENS_ARRAY(name, type, field, elements)                                                                     \
    {offsetof(struct mpilens_##name, field), sizeof(type), elements, KIND(type), 0},
#define MPILENS_NESTED(name, nested, field, elements)                                                                  \
    {offsetof(struct mpilens_##name, field), sizeof(struct mpilens_##nested), elements, SHAPE_NESTED,                  \
     MPILENS_STRUCT_##nested},
#define MPILENS_END(name)
#include "mpilens/layout.def"
#undef MPILENS_STRUCT
#undef MPILENS_FIELD
#undef MPILENS_ARRAY
#undef MPILENS_NESTED
#undef MPILENS_END
};

const struct struct_shape struct_shapes[MPILENS_STRUCT_COUNT] = {
#define MPILENS_STRUCT(name)                                                                                           \
    {sizeof(struct mpilens_##name), MPILENS_FIRST_FIELD_##name, MPILENS_END_FIELD_##name - MPILENS_FIRST_FIELD_##name},
#define MPILENS_FIELD(name, type, field)
#define MPILENS_ARRAY(name, type, field, elements)
#define MPILENS_NESTED(name, nested, field, elements)
#define MPILENS_END(name)
#include "mpilens/layout.def"
#undef MPILENS_STRUCT
#undef MPILENS_FIELD
#undef MPILENS_ARRAY
#undef MPILENS_NESTED
#undef MPILENS_END
};
