/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills the offset cache from the descriptors in the root.
 */
#include "layout/layout.h"

#include "mpilens/extension.h"

#include <string.h>

/* Without these fields nothing sensible can be said about a process; targets without them are rejected. */
static const uint16_t required_fields[] = {
    MPILENS_FIELD_chunk_records,
    MPILENS_FIELD_chunk_capacity,
    MPILENS_FIELD_chunk_high_water,
    MPILENS_FIELD_chunk_in_use,
    MPILENS_FIELD_table_directory,
    MPILENS_FIELD_table_chunk_count,
    MPILENS_FIELD_table_record_bytes,
    MPILENS_FIELD_function_name,
    MPILENS_FIELD_function_call_class,
    MPILENS_FIELD_range_first,
    MPILENS_FIELD_range_stride,
    MPILENS_FIELD_range_count,
    MPILENS_FIELD_group_state,
    MPILENS_FIELD_group_size,
    MPILENS_FIELD_group_range_count,
    MPILENS_FIELD_group_ranges,
    MPILENS_FIELD_datatype_state,
    MPILENS_FIELD_datatype_size,
    MPILENS_FIELD_communicator_state,
    MPILENS_FIELD_communicator_unique_id,
    MPILENS_FIELD_communicator_rank,
    MPILENS_FIELD_communicator_size,
    MPILENS_FIELD_communicator_group,
    MPILENS_FIELD_operation_state,
    MPILENS_FIELD_operation_function,
    MPILENS_FIELD_operation_posted,
    MPILENS_FIELD_operation_communicator,
    MPILENS_FIELD_operation_count,
    MPILENS_FIELD_operation_peer,
    MPILENS_FIELD_operation_tag,
    MPILENS_FIELD_operation_flags,
    MPILENS_FIELD_thread_state,
    MPILENS_FIELD_thread_function,
    MPILENS_FIELD_process_tables,
    MPILENS_FIELD_process_functions,
    MPILENS_FIELD_process_function_count,
    MPILENS_FIELD_process_state,
    MPILENS_FIELD_process_any_source,
    MPILENS_FIELD_process_any_tag,
    MPILENS_FIELD_process_proc_null,
    MPILENS_FIELD_process_world_rank,
    MPILENS_FIELD_process_world_size,
};

static uint32_t header_field(const uint8_t *bytes, size_t offset, size_t size, bool big_endian)
{
    return (uint32_t)decode_integer(bytes + offset, size, big_endian);
}

#define HEADER_FIELD(bytes, field, big_endian)                                                                         \
    header_field(bytes, offsetof(struct mpilens_process, field), sizeof(((struct mpilens_process *)0)->field),         \
                 big_endian)

int root_header_load(const uint8_t *bytes, struct root_header *ret_header)
{
    if (memcmp(bytes, MPILENS_MAGIC, sizeof MPILENS_MAGIC) != 0)
        return MPILENS_ERROR_CORRUPT;
    struct root_header header = {.big_endian = false};
    if (HEADER_FIELD(bytes, byte_order, false) != MPILENS_BYTE_ORDER) {
        header.big_endian = true;
        if (HEADER_FIELD(bytes, byte_order, true) != MPILENS_BYTE_ORDER)
            return MPILENS_ERROR_CORRUPT;
    }
    header.layout_major = (uint16_t)HEADER_FIELD(bytes, layout_major, header.big_endian);
    header.layout_minor = (uint16_t)HEADER_FIELD(bytes, layout_minor, header.big_endian);
    /* In another major, nothing that follows may be where it is looked for. */
    if (header.layout_major != MPILENS_LAYOUT_MAJOR)
        return MPILENS_ERROR_OTHER_MAJOR;
    header.word_size = HEADER_FIELD(bytes, word_size, header.big_endian);
    header.process_size = HEADER_FIELD(bytes, process_size, header.big_endian);
    header.structs_offset = HEADER_FIELD(bytes, structs_offset, header.big_endian);
    header.struct_count = HEADER_FIELD(bytes, struct_count, header.big_endian);
    header.fields_offset = HEADER_FIELD(bytes, fields_offset, header.big_endian);
    header.field_count = HEADER_FIELD(bytes, field_count, header.big_endian);
    if (header.word_size != 4 && header.word_size != 8)
        return MPILENS_ERROR_CORRUPT;
    if (header.process_size < MPILENS_PROCESS_FIXED_SIZE || header.process_size > MOST_ROOT_BYTES)
        return MPILENS_ERROR_CORRUPT;
    *ret_header = header;
    return mqs_ok;
}

/* Whether `count` elements of `element_bytes` at `offset` lie in [0, size). */
static bool fits(uint32_t offset, uint64_t count, uint64_t element_bytes, uint32_t size)
{
    return offset <= size && count <= (size - offset) / element_bytes;
}

/* The fields of struct `number`, whose descriptor in the target is `given`. */
static int load_fields(struct offsets *offsets, unsigned number, const struct mpilens_struct_descriptor *given,
                       const uint8_t *field_descriptors)
{
    const struct struct_shape *shape = &struct_shapes[number];
    const struct root_header *header = &offsets->header;
    if (given->first_field > header->field_count || given->field_count > header->field_count - given->first_field)
        return MPILENS_ERROR_CORRUPT;
    /* Fields are only appended: the first ones are the same, whichever of the two is newer. */
    for (uint32_t i = 0; i < shape->field_count && i < given->field_count; i++) {
        const uint8_t *bytes =
            field_descriptors + ((size_t)given->first_field + i) * sizeof(struct mpilens_field_descriptor);
        struct field_place place = {(uint32_t)decode_integer(bytes, 4, header->big_endian),
                                    (uint32_t)decode_integer(bytes + 4, 4, header->big_endian)};
        const struct field_shape *field = &field_shapes[shape->first_field + i];
        if (place.size == 0 || !fits(place.offset, place.size, 1, given->size))
            return MPILENS_ERROR_CORRUPT;
        if (field->kind != SHAPE_NESTED &&
            (field->elements == 1 ? place.size != field->element_bytes : place.size % field->element_bytes != 0))
            return MPILENS_ERROR_CORRUPT;
        offsets->fields[shape->first_field + i] = place;
    }
    return mqs_ok;
}

/* A nested field is a whole number of the target's structs, and no struct is inside itself: layout.def names a struct
 * before it nests it, so going through the list once sees the nested ones first. */
static int load_likeness(struct offsets *offsets, unsigned number, bool same_byte_order)
{
    const struct struct_shape *shape = &struct_shapes[number];
    bool same = same_byte_order && offsets->struct_size[number] >= shape->size;
    for (uint32_t i = shape->first_field; i < shape->first_field + shape->field_count; i++) {
        const struct field_shape *field = &field_shapes[i];
        const struct field_place *place = &offsets->fields[i];
        if (place->offset != field->offset || place->size != field->element_bytes * field->elements)
            same = false;
        if (field->kind != SHAPE_NESTED || place->size == 0)
            continue;
        uint32_t nested_size = offsets->struct_size[field->nested];
        if (nested_size == 0 || place->size % nested_size != 0)
            return MPILENS_ERROR_CORRUPT;
        if (nested_size != struct_shapes[field->nested].size || !offsets->same[field->nested])
            same = false;
    }
    offsets->same[number] = same;
    return mqs_ok;
}

int offsets_load(const struct root_header *header, const uint8_t *root, struct offsets *ret_offsets)
{
    if (!fits(header->structs_offset, header->struct_count, sizeof(struct mpilens_struct_descriptor),
              header->process_size) ||
        !fits(header->fields_offset, header->field_count, sizeof(struct mpilens_field_descriptor),
              header->process_size))
        return MPILENS_ERROR_CORRUPT;

    struct offsets *offsets = ret_offsets;
    memset(offsets, 0, sizeof *offsets);
    offsets->header = *header;
    const bool same_byte_order = header->big_endian == HOST_IS_BIG_ENDIAN;
    for (unsigned number = 0; number < MPILENS_STRUCT_COUNT && number < header->struct_count; number++) {
        const uint8_t *bytes = root + header->structs_offset + number * sizeof(struct mpilens_struct_descriptor);
        const struct mpilens_struct_descriptor given = {
            .size = (uint32_t)decode_integer(bytes, 4, header->big_endian),
            .first_field = (uint16_t)decode_integer(bytes + 4, 2, header->big_endian),
            .field_count = (uint16_t)decode_integer(bytes + 6, 2, header->big_endian),
        };
        if (given.size == 0 || given.size > MOST_ROOT_BYTES)
            return MPILENS_ERROR_CORRUPT;
        offsets->struct_size[number] = given.size;
        int code = load_fields(offsets, number, &given, root + header->fields_offset);
        if (code == mqs_ok)
            code = load_likeness(offsets, number, same_byte_order);
        if (code != mqs_ok)
            return code;
    }
    if (offsets->struct_size[MPILENS_STRUCT_struct_descriptor] != sizeof(struct mpilens_struct_descriptor) ||
        offsets->struct_size[MPILENS_STRUCT_field_descriptor] != sizeof(struct mpilens_field_descriptor) ||
        offsets->struct_size[MPILENS_STRUCT_process] != header->process_size)
        return MPILENS_ERROR_CORRUPT;
    for (size_t i = 0; i < sizeof required_fields / sizeof required_fields[0]; i++)
        if (offsets->fields[required_fields[i]].size == 0)
            return MPILENS_ERROR_CORRUPT;
    return mqs_ok;
}
