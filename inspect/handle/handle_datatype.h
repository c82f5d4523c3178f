/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the basic datatypes of a datatype stand, and where none does.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_DATATYPE_H
#define MPILENS_INSPECT_HANDLE_HANDLE_DATATYPE_H

#include "handle/handle.h"

/* Basic datatypes of one element that stand side by side. */
struct handle_type_run {
    const char *basic;
    int64_t displacement; /* bytes */
    int64_t count;
    int64_t bytes; /* of all of them */
};
/* The type map written out, up to `capacity` runs; *ret_cut: there would be more. */
size_t handle_expand_type_map(const struct handle_type_map *map, struct handle_type_run *ret_runs, size_t capacity,
                              bool *ret_cut);
struct handle_hole {
    int64_t displacement;
    int64_t bytes;
};
/* What no basic datatype covers between the lower and the upper bound, by displacement; the caller frees it. */
struct handle_hole *handle_find_holes(const struct handle_datatype *datatype, const struct handle_type_run *runs,
                                      size_t run_count, size_t *ret_count);

#endif
