/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes the object that a handle names. The caller frees what is returned as char *. The caller frees what is
 * returned as char *.
 */
#ifndef MPILENS_INSPECT_HANDLE_HANDLE_DESCRIBE_H
#define MPILENS_INSPECT_HANDLE_HANDLE_DESCRIBE_H

#include "handle/handle.h"

/* The whole in one sentence: "communicator row (0x84000002): rank 1 of 2, intracommunicator, cartesian 2 x 1, periodic
 * in dimension 0, split from MPI_COMM_WORLD at app.c:40". */
char *handle_summary(const struct handle *handle);
/* Likewise of a datatype that is a part of another one. */
char *handle_datatype_summary(const struct handle_datatype *datatype);

/* "row (0x84000002)", "0x84000002". */
char *handle_describe_name(uint64_t handle, const char *name);
/* "0-3, 8, 10-14 by 2"; of long lists the beginning. */
char *handle_describe_ranges(const struct mpilens_rank_range *ranges, size_t count);
/* "cartesian 2 x 1, periodic in dimension 0"; "" where there is none. */
char *handle_describe_topology(const struct handle_topology *topology);
/* "vector of 5 blocks of 2 x MPI_DOUBLE, stride 4"; without the call that made it. */
char *handle_describe_constructor(const struct handle_datatype *datatype);
/* "communicators", "windows"; of enum mpilens_attachable. */
const char *handle_describe_attachable(uint32_t attachable);
/* "main at app.c:12", "0x401136". */
char *handle_describe_function(const struct handle_function *function);
/* "app.c:40"; "app" where there are no lines; "" where it is not known. */
char *handle_describe_place(const struct site *site, uint64_t address);

/* MPI has let go of it: the application has freed it, and nothing refers to it any more. */
bool handle_is_gone(const struct handle *handle);

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
