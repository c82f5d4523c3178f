/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hashes sequences of basic types.
 */
#include "types/types.h"

#define PRIME ((UINT64_C(1) << 61) - 1)

/* Any two numbers below PRIME that are no small ones. */
static const uint64_t base = UINT64_C(0x15a1c3e9d2b47f63);
static const uint64_t spread = UINT64_C(0x1b873593cc9e2d51);

/* Reduces any number. */
static uint64_t reduce(uint64_t number)
{
    number = (number & PRIME) + (number >> 61);
    return number >= PRIME ? number - PRIME : number;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return reduce(a + b);
}

/* In halves, as not every compiler has integers of 128 bits: 2^61 is 1. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
    const uint64_t low_bits = (UINT64_C(1) << 31) - 1;
    const uint64_t a_high = a >> 31, a_low = a & low_bits, b_high = b >> 31, b_low = b & low_bits;
    const uint64_t middle = a_low * b_high + a_high * b_low;
    const uint64_t middle_low = middle & ((UINT64_C(1) << 30) - 1);
    return reduce(a_high * b_high * 2 + (middle >> 30) + (middle_low << 31) + a_low * b_low);
}

struct type_sequence type_sequence_empty(void)
{
    return (struct type_sequence){.value = 0, .shift = 1};
}

struct type_sequence type_sequence_of(uint64_t kind)
{
    return (struct type_sequence){.value = multiply(kind, spread), .shift = base};
}

struct type_sequence type_sequence_join(struct type_sequence front, struct type_sequence back)
{
    return (struct type_sequence){.value = add(multiply(front.value, back.shift), back.value),
                                  .shift = multiply(front.shift, back.shift)};
}

struct type_sequence type_sequence_repeat(struct type_sequence once, uint64_t count)
{
    struct type_sequence all = type_sequence_empty();
    for (; count > 0; count >>= 1) {
        if (count & 1)
            all = type_sequence_join(all, once);
        once = type_sequence_join(once, once);
    }
    return all;
}

uint64_t type_sequence_number(struct type_sequence sequence)
{
    return (UINT64_C(1) << 63) | add(multiply(sequence.value, spread), sequence.shift);
}
