/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The type map of a datatype written out, and its holes.
 */
#ifndef MPILENS_DLL_TYPES_TYPE_RUNS_H
#define MPILENS_DLL_TYPES_TYPE_RUNS_H

#include "types/type_map.h"

/* Runs that are enough to find the holes of most datatypes. */
enum { MOST_ELEMENT_RUNS = 1 << 12 };

/* Elements of one predefined datatype that stand side by side. */
struct element_run {
    const struct mpilens_datatype *basic;
    int64_t displacement; /* bytes */
    int64_t count;
    int64_t bytes; /* of all of them */
};

/* Adds what a run of the type map stands for; joined with what is there where they are side by side. False: there is no
 * room for all of it, or no datatype is like that. */
bool element_runs_add(struct element_run *runs, size_t *count, size_t capacity, const struct type_run *run);

/* Writes out the type map of a datatype, up to `capacity` runs; *ret_is_cut: there are more. mqs_ok; mqs_no_information
 * where a part is not known; or a code. */
int element_runs_get(const struct type_source *source, const struct mpilens_datatype *datatype,
                     struct element_run *ret_runs, size_t capacity, size_t *ret_count, bool *ret_is_cut);

/* Finds what the runs leave free between the lower and the upper bound, by displacement: up to count + 1 holes. mqs_ok;
 * mqs_no_information: the bounds are not known; or MPILENS_ERROR_NO_MEMORY. */
int type_holes_find(const struct mpilens_datatype *datatype, const struct element_run *runs, size_t count,
                    struct mpilens_type_hole *ret_holes, size_t *ret_count);

/* Both: the holes of a datatype, up to `capacity`; *ret_is_cut: there may be more. */
int type_holes_get(const struct type_source *source, const struct mpilens_datatype *datatype,
                   struct mpilens_type_hole *ret_holes, size_t capacity, size_t *ret_count, bool *ret_is_cut);

#endif
