/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sequences of basic types, of which only a hash is kept: a polynomial modulo 2^61 - 1, so that what is joined or
 * repeated costs the same however long it is.
 */
#ifndef MPILENS_DLL_TYPES_TYPE_SEQUENCE_H
#define MPILENS_DLL_TYPES_TYPE_SEQUENCE_H

#include <stdint.h>

struct type_sequence {
    uint64_t value;
    uint64_t shift; /* what the value of a sequence in front of it is multiplied by */
};

struct type_sequence type_sequence_empty(void);

/* One basic type; `kind` is not 0, and less than 2^32. */
struct type_sequence type_sequence_of(uint64_t kind);

struct type_sequence type_sequence_join(struct type_sequence front, struct type_sequence back);
struct type_sequence type_sequence_repeat(struct type_sequence once, uint64_t count);

/* Of equal sequences the same, else, but for a chance of 2^-60 or so, another; never 0. */
uint64_t type_sequence_number(struct type_sequence sequence);

#endif
