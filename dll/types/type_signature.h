/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type signatures (MPI 4.1, section 5.1): the basic types of a type map in their order, wherever they lie.
 */
#ifndef MPILENS_DLL_TYPES_TYPE_SIGNATURE_H
#define MPILENS_DLL_TYPES_TYPE_SIGNATURE_H

#include "snapshot/reading.h"

/* Signatures of datatypes of one reading that were found so far. */
struct type_signatures;

/* Of `count` elements: equal where the signatures are, whatever constructors made the datatypes and in whichever
 * process. That of no data (no elements, or of size 0) is one, too. 0: not comparable, that is, MPI_BYTE or MPI_PACKED
 * is in it, or not all of it is known. `*signatures` NULL: none yet. */
uint64_t type_signature(const struct reading *reading, struct type_signatures **signatures, int64_t count,
                        const struct mpilens_datatype *datatype);

/* Takes NULL. */
void type_signatures_free(struct type_signatures *all);

#endif
