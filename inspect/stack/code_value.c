/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values in code that is followed: known or not, and which memory they were loaded from.
 */
#include "stack/stack_internal.h"

struct code_value code_value_unknown(void)
{
    return (struct code_value){.is_known = false};
}

struct code_value code_value_known(uint64_t bits)
{
    return (struct code_value){.is_known = true, .bits = bits};
}

/* --- what values depend on --- */

void code_value_add_source(struct code_value *value, struct code_source source)
{
    if (value->source_count == MOST_SOURCES)
        value->has_many_sources = true;
    else
        value->sources[value->source_count++] = source;
}

/* The result depends on both. */
struct code_value code_value_depending(struct code_value value, const struct code_value *other)
{
    for (unsigned i = 0; i < other->source_count; i++)
        code_value_add_source(&value, other->sources[i]);
    value.has_many_sources |= other->has_many_sources;
    return value;
}

static bool overlap(struct code_source left, struct code_source right)
{
    return left.address < right.address + right.bytes && right.address < left.address + left.bytes;
}

void code_value_lose(struct code_value *value, const struct code_value *address, unsigned bytes)
{
    const struct code_source stored = {.address = address->bits, .bytes = bytes};
    bool is_lost = value->has_many_sources || (value->source_count > 0 && !address->is_known);
    for (unsigned i = 0; i < value->source_count; i++)
        is_lost |= address->is_known && overlap(value->sources[i], stored);
    if (is_lost)
        *value = code_value_unknown();
}

struct code_value code_value_sum(struct code_value left, const struct code_value *right)
{
    struct code_value result =
        left.is_known && right->is_known ? code_value_known(left.bits + right->bits) : code_value_unknown();
    result = code_value_depending(result, &left);
    return code_value_depending(result, right);
}

struct code_value code_value_cut(struct code_value value, unsigned bytes)
{
    if (bytes < 8) {
        value.bits &= UINT32_MAX;
        value.origin = 0;
    }
    return value;
}

struct code_value code_value_calculate(unsigned operation, struct code_value left, const struct code_value *right,
                                       unsigned bytes)
{
    enum { ADD, OR, ADC, SBB, AND, SUB, XOR };
    struct code_value result = code_value_unknown();
    const uint64_t l = left.bits, r = right->bits;
    if (left.is_known && right->is_known && operation != ADC && operation != SBB)
        result = code_value_known(operation == ADD   ? l + r
                                  : operation == OR  ? l | r
                                  : operation == AND ? l & r
                                  : operation == SUB ? l - r
                                                     : l ^ r);
    result = code_value_depending(result, &left);
    return code_value_cut(code_value_depending(result, right), bytes);
}

struct code_value code_value_extended(struct code_value value)
{
    value.bits = (uint64_t)(int64_t)(int32_t)value.bits;
    value.origin = 0;
    return value;
}

struct code_value code_value_shifted(struct code_value value, unsigned operation, unsigned count, unsigned bytes)
{
    enum { LEFT = 4, RIGHT = 5, RIGHT_SIGNED = 7 };
    count %= 8 * bytes;
    const int64_t whole = bytes == 8 ? (int64_t)value.bits : (int32_t)value.bits;
    if (operation == LEFT)
        value.bits <<= count;
    else if (operation == RIGHT)
        value.bits >>= count;
    else if (operation == RIGHT_SIGNED)
        value.bits = (uint64_t)(whole >> count);
    else
        return code_value_unknown();
    value.origin = 0;
    return code_value_cut(value, bytes);
}

struct code_value code_value_product(struct code_value left, const struct code_value *right, unsigned bytes)
{
    struct code_value result =
        left.is_known && right->is_known ? code_value_known(left.bits * right->bits) : code_value_unknown();
    result = code_value_depending(result, &left);
    return code_value_cut(code_value_depending(result, right), bytes);
}

static bool are_same(const struct code_value *left, const struct code_value *right)
{
    return left->is_known == right->is_known &&
           (left->is_known ? left->bits == right->bits : left->origin != 0 && left->origin == right->origin);
}

void code_values_join(struct code_value *values, const struct code_value *others, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] =
            are_same(&values[i], &others[i]) ? code_value_depending(values[i], &others[i]) : code_value_unknown();
}
