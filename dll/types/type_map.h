/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The type map of a datatype, expanded as far as it is asked for.
 */
#ifndef MPILENS_DLL_TYPES_TYPE_MAP_H
#define MPILENS_DLL_TYPES_TYPE_MAP_H

#include "types/type_constructors.h"

/* Elements of one predefined datatype: `count` of them, `stride` bytes apart, and that `repeat` times. */
struct type_run {
    const struct mpilens_datatype *basic;
    int64_t displacement;
    int64_t count;
    int64_t stride;
    int64_t repeat;
    int64_t repeat_stride;
};

enum { TYPE_MAP_DEPTH = 64 };

/* Copies of a datatype, or of a run, of which some have been delivered. */
struct type_map_frame {
    struct type_item item; /* of a run: how often, and where */
    struct type_run run;   /* where is_run */
    bool is_run;
    int64_t copies;  /* in all */
    int64_t copy;    /* the one that is being delivered */
    uint64_t number; /* of the next part of it */
};

struct type_map {
    struct type_source source;
    struct type_map_frame frames[TYPE_MAP_DEPTH];
    size_t depth;
    bool is_at_end;
};

/* Begins the map of a datatype of that copy. */
void type_map_begin(struct type_map *map, const struct type_source *source, const struct mpilens_datatype *datatype);

/* The next run. mqs_ok, mqs_end_of_list; mqs_no_information where a part is not known or nested too deeply; or a code
 * of reading the target. On anything but mqs_ok the map is at its end. */
int type_map_next(struct type_map *map, struct type_run *ret_run);

/* Frees what it has fetched. */
void type_map_free(struct type_map *map);

#endif
