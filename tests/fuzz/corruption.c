/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Applies the changes.
 */
#include "corruption.h"

#include "layout/layout.h"

#include <string.h>

struct input {
    const uint8_t *next;
    size_t left;
};

static unsigned take(struct input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->next++;
}

static unsigned take_two(struct input *input)
{
    const unsigned low = take(input);
    return low | take(input) << 8;
}

/* Address of a record of a table, 0: it has none. */
static uint64_t record_address(const struct fake_target *target, unsigned kind, unsigned number)
{
    const struct fake_table *table = &target->tables[kind % MPILENS_TABLE_COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->chunk_count; i++)
        count += table->chunks[i].high_water;
    if (count == 0)
        return 0;
    number %= count;
    for (uint32_t i = 0; i < table->chunk_count; number -= table->chunks[i++].high_water)
        if (number < table->chunks[i].high_water)
            return table->chunks[i].records + (uint64_t)number * table->record_bytes;
    return 0;
}

static uint64_t take_value(const struct fake_target *target, struct input *input)
{
    static const uint64_t values[] = {
        0,
        1,
        2,
        3,
        UINT64_MAX,
        (uint64_t)INT64_MAX,
        (uint64_t)1 << 63,
        INT32_MAX,
        UINT32_MAX,
        0x80000000,
        0x80000001,
        UINT64_MAX - 1,
        7,
        16,
        0x10000,
        1 << 20,
        1 << 24,
        1 << 30,
        (uint64_t)1 << 32,
        (uint64_t)1 << 40,
        0x7fffffff00000000,
        0xfffffff0,
        64,
        255,
    };
    const size_t count = sizeof values / sizeof values[0];
    const unsigned choice = take(input);
    if (choice >= 192) /* an address that something is at */
        return record_address(target, choice, take(input));
    if (choice >= 128)
        return target->base + take_two(input) * 4u % target->used;
    if (choice >= 112)
        return target->base + target->used - choice % 16;
    if (choice >= 64)
        return take_two(input);
    return values[choice % count];
}

/* Writes a part of a field of the struct at this address. */
static void change_field(struct fake_target *target, struct input *input, uint64_t address, enum mpilens_struct number)
{
    const struct struct_shape *shape = &struct_shapes[number];
    const unsigned field = take(input);
    const unsigned part = take(input);
    const uint64_t value = take_value(target, input);
    const struct fake_field *place = &target->fields[shape->first_field + field % shape->field_count];
    if (address == 0 || place->size == 0)
        return;
    const uint32_t unit = place->size < 8 ? place->size : part & 1 ? 8 : 4;
    const uint32_t offset = place->size > unit ? part / 2 * 4u % (place->size - unit + 1) : 0;
    fake_target_put_integer(target, address + place->offset + offset, unit, value);
}

static void change_bytes(struct fake_target *target, struct input *input)
{
    const size_t place = (size_t)take_two(input) * 4 % target->used;
    size_t length = take(input) % 16 + 1;
    if (length > input->left)
        length = input->left;
    if (length > target->used - place)
        length = target->used - place;
    if (length > 0)
        memcpy(target->memory + place, input->next, length);
    input->next += length;
    input->left -= length;
}

static uint64_t word_at(const struct fake_target *target, size_t place)
{
    uint64_t word = 0;
    for (size_t i = 0; i < 8; i++)
        word |= (uint64_t)target->memory[place + i] << 8 * (target->options.big_endian ? 7 - i : i);
    return word;
}

/* The table that has a record at this address; MPILENS_TABLE_COUNT: none. */
static unsigned table_at(const struct fake_target *target, uint64_t address)
{
    for (unsigned kind = 0; kind < MPILENS_TABLE_COUNT; kind++) {
        const struct fake_table *table = &target->tables[kind];
        for (uint32_t i = 0; i < table->chunk_count; i++)
            if (address - table->chunks[i].records < (uint64_t)table->chunks[i].high_water * table->record_bytes)
                return kind;
    }
    return MPILENS_TABLE_COUNT;
}

/* The first word from some place on that refers to a record refers to another one: mostly of its kind, which makes
 * cycles. */
static void change_reference(struct fake_target *target, struct input *input)
{
    const size_t first = take_two(input) * 8u % target->used;
    const unsigned other = take(input);
    const unsigned number = take(input);
    for (size_t i = 0; i + 8 <= target->used; i += 4) {
        const size_t place = (first + i) % target->used / 4 * 4;
        const unsigned kind =
            place + 8 <= target->used ? table_at(target, word_at(target, place)) : MPILENS_TABLE_COUNT;
        if (kind == MPILENS_TABLE_COUNT)
            continue;
        fake_target_put_integer(target, target->base + place, 8,
                                record_address(target, other < 192 ? kind : other, number));
        return;
    }
}

void corrupt(struct fake_target *target, const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    while (input.left > 0) {
        const unsigned what = take(&input);
        if (what < 48) {
            change_bytes(target, &input);
        } else if (what < 96) {
            change_reference(target, &input);
        } else if (what < 112) {
            change_field(target, &input, target->root, MPILENS_STRUCT_process);
        } else {
            const unsigned kind = take(&input) % MPILENS_TABLE_COUNT;
            const unsigned number = take(&input);
            change_field(target, &input, record_address(target, kind, number), table_record_structs[kind]);
        }
    }
}
