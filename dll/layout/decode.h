/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Turns bytes of the target into our structs.
 */
#ifndef MPILENS_DLL_LAYOUT_DECODE_H
#define MPILENS_DLL_LAYOUT_DECODE_H

#include "layout/offsets.h"

#define HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* The unsigned integer of 1 to 8 bytes. */
uint64_t decode_integer(const uint8_t *bytes, size_t size, bool big_endian);

/* Turns the target's struct `number` at `bytes`, offsets->struct_size[number] bytes long, into ours. Fields that the
 * target does not have become "not known": -1 where signed, else 0. Text is terminated. */
void decode_struct(const struct offsets *offsets, enum mpilens_struct number, const uint8_t *bytes, void *ret_struct);

#endif
