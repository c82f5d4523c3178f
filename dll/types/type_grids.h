/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of arrays: subarrays, and what a distributed array gives to one process (MPI 4.1, sections 5.1.3 and 5.1.4).
 */
#ifndef MPILENS_DLL_TYPES_TYPE_GRIDS_H
#define MPILENS_DLL_TYPES_TYPE_GRIDS_H

#include "types/datatype_arguments.h"
#include "types/type_item.h"

/* Item `number` of a subarray or darray, whose constructor had so many integers, of elements of item->datatype,
 * `extent` bytes each. Sets the other fields of *item. mqs_ok, mqs_end_of_list or MPILENS_ERROR_CORRUPT. */
int type_grid_item(const struct datatype_arguments *arguments, uint64_t integers, uint32_t combiner, int64_t extent,
                   uint64_t number, struct type_item *item);

/* How many elements it has in all items. mqs_ok or MPILENS_ERROR_CORRUPT. */
int type_grid_count(const struct datatype_arguments *arguments, uint64_t integers, uint32_t combiner,
                    int64_t *ret_count);

#endif
