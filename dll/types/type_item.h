/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Equal elements at regular distances: what constructors of datatypes are taken apart into.
 */
#ifndef MPILENS_DLL_TYPES_TYPE_ITEM_H
#define MPILENS_DLL_TYPES_TYPE_ITEM_H

#include <stdint.h>

struct mpilens_datatype;

/* `count` elements of a datatype, `stride` bytes apart, and that `outer_count` times. */
struct type_item {
    const struct mpilens_datatype *datatype;
    int64_t displacement;
    int64_t count;
    int64_t stride;
    int64_t outer_count;
    int64_t outer_stride;
};

/* Arithmetic of addresses, which wraps. */
static inline int64_t wrapping_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wrapping_multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

#endif
