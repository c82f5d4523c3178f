/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables made of layout.def against the compiler's own view of the structs.
 */
#include "layout/layout.h"

#include <criterion/criterion.h>

struct field {
    const char *name;
    size_t offset;
    size_t size;
    unsigned owner;
};

static const struct field fields[] = {
#define MPILENS_STRUCT(name)
#define MPILENS_FIELD(name, type, field)                                                                               \
    {#name "." #field, offsetof(struct mpilens_##name, field), sizeof(type), MPILENS_STRUCT_##name},
#define MPILENS_ARRAY(name, type, field, elements)                                                                     \
    {#name "." #field, offsetof(struct mpilens_##name, field), sizeof(type[elements]), MPILENS_STRUCT_##name},
#define MPILENS_NESTED(name, nested, field, elements)                                                                  \
    {#name "." #field, offsetof(struct mpilens_##name, field), sizeof(struct mpilens_##nested[elements]),              \
     MPILENS_STRUCT_##name},
#define MPILENS_END(name)
#include "mpilens/layout.def"
#undef MPILENS_STRUCT
#undef MPILENS_FIELD
#undef MPILENS_ARRAY
#undef MPILENS_NESTED
#undef MPILENS_END
};

Test(layout, has_every_field_where_the_compiler_has_it)
{
    cr_assert_eq(sizeof fields / sizeof fields[0], MPILENS_FIELD_COUNT);
    for (unsigned i = 0; i < MPILENS_FIELD_COUNT; i++) {
        cr_assert_eq(field_shapes[i].offset, fields[i].offset, "%s", fields[i].name);
        cr_assert_eq((size_t)field_shapes[i].element_bytes * field_shapes[i].elements, fields[i].size, "%s",
                     fields[i].name);
    }
}

Test(layout, has_structs_that_are_their_fields_side_by_side)
{
    unsigned field = 0;
    for (unsigned number = 0; number < MPILENS_STRUCT_COUNT; number++) {
        uint32_t end = 0;
        cr_assert_eq(struct_shapes[number].first_field, field);
        for (uint32_t i = 0; i < struct_shapes[number].field_count; i++, field++) {
            cr_assert_eq(fields[field].owner, number, "%s", fields[field].name);
            cr_assert_eq(field_shapes[field].offset, end, "%s", fields[field].name);
            end += (uint32_t)fields[field].size;
        }
        cr_assert_eq(struct_shapes[number].size, end);
    }
    cr_assert_eq(field, MPILENS_FIELD_COUNT);
}

Test(layout, knows_signed_fields_text_and_nested_structs)
{
    cr_assert_eq(field_shapes[MPILENS_FIELD_operation_peer].kind, SHAPE_SIGNED);
    cr_assert_eq(field_shapes[MPILENS_FIELD_datatype_size].kind, SHAPE_SIGNED);
    cr_assert_eq(field_shapes[MPILENS_FIELD_operation_state].kind, SHAPE_UNSIGNED);
    cr_assert_eq(field_shapes[MPILENS_FIELD_process_layout_minor].kind, SHAPE_UNSIGNED);
    cr_assert_eq(field_shapes[MPILENS_FIELD_communicator_name].kind, SHAPE_TEXT);
    cr_assert_eq(field_shapes[MPILENS_FIELD_group_short_ranges].kind, SHAPE_NESTED);
    cr_assert_eq(field_shapes[MPILENS_FIELD_group_short_ranges].nested, MPILENS_STRUCT_range);
}

Test(layout, nests_only_structs_that_stand_before)
{
    for (unsigned i = 0; i < MPILENS_FIELD_COUNT; i++)
        if (field_shapes[i].kind == SHAPE_NESTED)
            cr_assert_lt(field_shapes[i].nested, fields[i].owner, "%s", fields[i].name);
}

Test(layout, begins_every_published_record_with_its_state)
{
    static const enum mpilens_field states[] = {MPILENS_FIELD_operation_state, MPILENS_FIELD_communicator_state,
                                                MPILENS_FIELD_group_state,     MPILENS_FIELD_datatype_state,
                                                MPILENS_FIELD_thread_state,    MPILENS_FIELD_channel_state,
                                                MPILENS_FIELD_message_state};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        cr_assert_eq(field_shapes[states[i]].offset, 0);
        cr_assert_eq(field_shapes[states[i]].element_bytes, 4);
    }
}
