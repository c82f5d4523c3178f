/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type signatures (MPI 4.1, section 5.1): the basic types of a type map in their order, wherever they lie.
 */
#ifndef MPILENS_DLL_TYPES_TYPE_SIGNATURE_H
#define MPILENS_DLL_TYPES_TYPE_SIGNATURE_H

#include "process/process_info.h"

/* Of `count` elements: equal where the signatures are, whatever constructors made the datatypes and in whichever
 * process. That of no data (no elements, or of size 0) is one, too. 0: not comparable, that is, MPI_BYTE or MPI_PACKED
 * is in it, or not all of it is known. */
uint64_t type_signature(mqs_process_info *info, int64_t count, const struct mpilens_datatype *datatype);

/* Forgets those that were found, which are of one copy. */
void type_signatures_free(struct type_signatures *all);

#endif
