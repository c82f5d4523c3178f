/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes of the fake job, made by constructors.
 */
#ifndef TESTS_DLL_MADE_TYPES_H
#define TESTS_DLL_MADE_TYPES_H

#include "tested_job.h"

/* Arguments of a constructor, and what the library says of the result. */
struct made_type {
    uint32_t combiner;
    int64_t size;
    int64_t extent;
    int64_t integers[40];
    uint32_t integer_count;
    int64_t addresses[8];
    uint32_t address_count;
    uint64_t datatypes[8]; /* addresses of records */
    uint32_t datatype_count;
};

#define TOP_HANDLE UINT32_C(0x8c0000ff)

/* Returns the address of the record. */
uint64_t make_type(const struct made_type *made);
uint64_t make_basic(const char *name, int64_t size, int64_t extent);

/* The type with this handle is the one at that address from now on: TOP_HANDLE. */
void name_top(uint64_t record);

/* The map of TOP_HANDLE, up to `limit` entries: "MPI_INT@0", "MPI_INT@8 x3/16" (count, stride), "MPI_INT@8 x3 x5/64"
 * (repeat, repeat_stride), separated by "; ", and what is not mqs_end_of_list at the end: "!code". */
const char *map_of_top(size_t limit);

/* The type signature of the one collective call that the process has made on MPI_COMM_WORLD, as the DLL gives it. The
 * job is opened, or another copy taken: records are made before the first time. */
uint64_t signature_of(int64_t count, uint64_t type);

/* Changes an argument of a constructor: integers, then addresses, then datatypes. */
void put_argument(uint64_t record, size_t number, uint64_t value);

#define MADE(...) make_type(&(struct made_type){__VA_ARGS__})

#endif
