/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What predefined datatypes contribute to a type signature. Names for the same are the same: what counts is whether it
 * is a signed or unsigned integer, a floating point or complex number, a truth value or a character, and its size.
 */
#ifndef MPILENS_DLL_TYPES_BASIC_SIGNATURE_H
#define MPILENS_DLL_TYPES_BASIC_SIGNATURE_H

#include "snapshot/reading.h"
#include "types/type_sequence.h"

#include <stdbool.h>

/* Of a datatype that is not made of others. False: it is not comparable, as MPI_BYTE and MPI_PACKED, or not known. */
bool basic_signature(const struct mpilens_datatype *datatype, struct type_sequence *ret_sequence);

#endif
