/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Changes to a fake target that an input describes.
 */
#ifndef MPILENS_FUZZ_CORRUPTION_H
#define MPILENS_FUZZ_CORRUPTION_H

#include "fake_target.h"

/* A sequence of changes, each begins with one byte:
 *   0 to 47     bytes: two of place (in units of four bytes), one of length, the bytes
 *   48 to 95    a reference: two of place (of eight bytes), table, record that it refers to from now on
 *   96 to 111   a field of the root: its number, a part of it, a value
 *   others      a field of a record: table, record, field, a part of it, a value
 * A value is one byte that names a value of interest, and for some two more. Bytes that the input lacks are 0. */
void corrupt(struct fake_target *, const uint8_t *input, size_t size);

#endif
