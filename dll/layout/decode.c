/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decodes structs of the target: a plain copy where its struct looks like ours, field by field where it does not.
 */
#include "layout/layout.h"

#include <string.h>

static uint64_t gather_bytes(const uint8_t *bytes, size_t size, bool big_endian)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
    return value;
}

/* Every integer of a target with another layout comes through here. */
uint64_t decode_integer(const uint8_t *bytes, size_t size, bool big_endian)
{
    const bool swaps = big_endian != HOST_IS_BIG_ENDIAN;
    uint32_t word;
    uint64_t long_word;
    switch (size) {
    case 1:
        return *bytes;
    case sizeof word:
        memcpy(&word, bytes, sizeof word);
        return swaps ? __builtin_bswap32(word) : word;
    case sizeof long_word:
        memcpy(&long_word, bytes, sizeof long_word);
        return swaps ? __builtin_bswap64(long_word) : long_word;
    default:
        return gather_bytes(bytes, size, big_endian);
    }
}

static void store_integer(uint64_t value, size_t size, uint8_t *ret_field)
{
    switch (size) {
    case 1:
        *ret_field = (uint8_t)value;
        break;
    case 2:
        memcpy(ret_field, &(uint16_t){(uint16_t)value}, 2);
        break;
    case 4:
        memcpy(ret_field, &(uint32_t){(uint32_t)value}, 4);
        break;
    default:
        memcpy(ret_field, &value, 8);
        break;
    }
}

static void set_unknown(enum mpilens_struct number, uint8_t *ret_struct);

static void set_element_unknown(const struct field_shape *field, uint8_t *ret_element)
{
    if (field->kind == SHAPE_NESTED)
        set_unknown((enum mpilens_struct)field->nested, ret_element);
    else
        memset(ret_element, field->kind == SHAPE_SIGNED ? 0xff : 0, field->element_bytes);
}

static void set_unknown(enum mpilens_struct number, uint8_t *ret_struct)
{
    const struct struct_shape *shape = &struct_shapes[number];
    for (uint32_t i = shape->first_field; i < shape->first_field + shape->field_count; i++)
        for (uint32_t element = 0; element < field_shapes[i].elements; element++)
            set_element_unknown(&field_shapes[i],
                                ret_struct + field_shapes[i].offset + (size_t)element * field_shapes[i].element_bytes);
}

static void decode_bytes(const struct field_shape *field, const struct field_place *place, const uint8_t *bytes,
                         uint8_t *ret_struct)
{
    const size_t given = place->size < field->elements ? place->size : field->elements;
    memcpy(ret_struct + field->offset, bytes + place->offset, given);
    memset(ret_struct + field->offset + given, field->kind == SHAPE_SIGNED ? 0xff : 0, field->elements - given);
}

static void decode_field(const struct offsets *offsets, uint32_t field_number, const uint8_t *bytes,
                         uint8_t *ret_struct)
{
    const struct field_shape *field = &field_shapes[field_number];
    const struct field_place *place = &offsets->fields[field_number];
    if (field->element_bytes == 1) {
        decode_bytes(field, place, bytes, ret_struct);
        return;
    }
    size_t distance = field->kind == SHAPE_NESTED ? offsets->struct_size[field->nested] : field->element_bytes;
    size_t given = place->size == 0 ? 0 : place->size / distance;
    for (size_t element = 0; element < field->elements; element++) {
        uint8_t *into = ret_struct + field->offset + element * field->element_bytes;
        if (element >= given) {
            set_element_unknown(field, into);
            continue;
        }
        const uint8_t *from = bytes + place->offset + element * distance;
        if (field->kind == SHAPE_NESTED)
            decode_struct(offsets, (enum mpilens_struct)field->nested, from, into);
        else
            store_integer(decode_integer(from, field->element_bytes, offsets->header.big_endian), field->element_bytes,
                          into);
    }
}

/* Text ends inside its field, whatever the target holds. */
static void terminate_text(enum mpilens_struct number, uint8_t *ret_struct)
{
    const struct struct_shape *shape = &struct_shapes[number];
    for (uint32_t i = shape->first_field; i < shape->first_field + shape->field_count; i++)
        if (field_shapes[i].kind == SHAPE_TEXT)
            ret_struct[field_shapes[i].offset + field_shapes[i].elements - 1] = 0;
}

void decode_struct(const struct offsets *offsets, enum mpilens_struct number, const uint8_t *bytes, void *ret_struct)
{
    const struct struct_shape *shape = &struct_shapes[number];
    if (offsets->same[number])
        memcpy(ret_struct, bytes, shape->size);
    else
        for (uint32_t i = shape->first_field; i < shape->first_field + shape->field_count; i++)
            decode_field(offsets, i, bytes, ret_struct);
    terminate_text(number, ret_struct);
}
