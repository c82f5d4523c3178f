/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments, type maps, holes and signatures of datatypes.
 */
#ifndef MPILENS_DLL_TYPES_TYPES_H
#define MPILENS_DLL_TYPES_TYPES_H

#include "snapshot/snapshot.h"
#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>

struct mpilens_datatype;
struct type_signatures;

/* -- type_sequence.c --
 * Sequences of basic types, of which only a hash is kept: a polynomial modulo 2^61 - 1, so that what is joined or
 * repeated costs the same however long it is.
 */

struct type_sequence {
    uint64_t value;
    uint64_t shift; /* factor for the value of a sequence in front of it */
};

struct type_sequence type_sequence_empty(void);

/* One basic type; `kind` is not 0, and less than 2^32. */
struct type_sequence type_sequence_of(uint64_t kind);

struct type_sequence type_sequence_join(struct type_sequence front, struct type_sequence back);
struct type_sequence type_sequence_repeat(struct type_sequence once, uint64_t count);

/* Equal for equal sequences; differs for others, but for a chance of 2^-60 or so; never 0. */
uint64_t type_sequence_number(struct type_sequence sequence);

/* -- basic_signature.c -- The contribution of predefined datatypes to a type signature. It depends only on the class
 * (signed or unsigned integer, floating point or complex number, truth value, character) and the size, not on the name.
 */

/* The signature of a datatype that is not made of others. False: it is not comparable, as MPI_BYTE and MPI_PACKED, or
 * not known. */
bool basic_signature(const struct mpilens_datatype *datatype, struct type_sequence *ret_sequence);

/* -- datatype_arguments.c --
 * The arguments of the constructor of a datatype.
 */

struct datatype_arguments {
    const uint8_t *bytes; /* as they stand in the target */
    bool big_endian;
    size_t number_count; /* integers, then addresses */
    size_t datatype_count;
};

/* How it was made, MPILENS_COMBINER_UNKNOWN where the target says what cannot be. */
uint32_t datatype_combiner(const struct mpilens_datatype *datatype);

uint64_t datatype_argument_count(const struct mpilens_datatype *datatype);

/* Fetches them if `block` does not have them yet; valid as long as it has. mqs_no_information: they were
 * not kept. */
int datatype_arguments_read(const struct reading *reading, struct object_block *block,
                            const struct mpilens_datatype *datatype, struct datatype_arguments *ret_arguments);

/* Those that `bytes` are, all of them; mqs_ok. */
int datatype_arguments_set(const struct mpilens_datatype *datatype, const uint8_t *bytes, bool big_endian,
                           struct datatype_arguments *ret_arguments);

/* Integer or address, less than number_count. */
int64_t datatype_arguments_number(const struct datatype_arguments *arguments, size_t number);

/* Address of the record of a datatype, less than datatype_count. 0: not known. */
uint64_t datatype_arguments_address(const struct datatype_arguments *arguments, size_t number);

/* Equal elements at regular distances: constructors of datatypes are taken apart into these. */

/* `count` elements of a datatype, `stride` bytes apart, and that `outer_count` times. */
struct type_item {
    const struct mpilens_datatype *datatype;
    int64_t displacement;
    int64_t count;
    int64_t stride;
    int64_t outer_count;
    int64_t outer_stride;
};

/* Arithmetic of addresses, which wraps. */
static inline int64_t wrapping_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wrapping_multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* -- type_constructors.c -- The layout that each constructor of a datatype makes (MPI 4.1, section 5.1).
 */

enum { TYPE_BLOCK_COUNT = 16 };

/* Where datatypes and their arguments are read. */
struct type_source {
    const struct target *target;
    const struct snapshot *copy;
    bool big_endian;
    struct object_block blocks[TYPE_BLOCK_COUNT]; /* arguments that were fetched last */
    size_t next_block;
};

/* Those of a reading. */
struct type_source type_source_of(const struct reading *reading);

/* Whether it is predefined, or as such: not made of others. */
bool type_is_basic(const struct mpilens_datatype *datatype);
/* Its name; for a parameterized Fortran type without a name, the function that makes it. */
const char *type_basic_name(const struct mpilens_datatype *basic);

/* Item `number` (from 0) of the constructor. mqs_ok, mqs_end_of_list, mqs_no_information: not known; or a code of
 * reading the target. */
int type_item_get(struct type_source *source, const struct mpilens_datatype *datatype, uint64_t number,
                  struct type_item *ret_item);

/* The same, but only what there is and not where: there are fewer items, displacements and strides mean nothing. */
int type_content_get(struct type_source *source, const struct mpilens_datatype *datatype, uint64_t number,
                     struct type_item *ret_item);

void type_source_free(struct type_source *source);

/* -- type_grids.c --
 * Parts of arrays: subarrays, and what a distributed array gives to one process (MPI 4.1, sections 5.1.3 and 5.1.4).
 */

/* Item `number` of a subarray or darray with `integers` constructor integers, of elements of item->datatype, `extent`
 * bytes each. Sets the other fields of *item. mqs_ok, mqs_end_of_list or MPILENS_ERROR_CORRUPT. */
int type_grid_item(const struct datatype_arguments *arguments, uint64_t integers, uint32_t combiner, int64_t extent,
                   uint64_t number, struct type_item *item);

/* How many elements it has in all items. mqs_ok or MPILENS_ERROR_CORRUPT. */
int type_grid_count(const struct datatype_arguments *arguments, uint64_t integers, uint32_t combiner,
                    int64_t *ret_count);

/* -- type_map.c --
 * The type map of a datatype, expanded as far as it is asked for.
 */

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

/* -- type_runs.c --
 * The type map of a datatype written out, and its holes.
 */

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

/* -- type_signature.c --
 * Type signatures (MPI 4.1, section 5.1): the basic types of a type map in their order, wherever they lie.
 */

/* Signatures of datatypes of one reading that were found so far. */

/* Signature of `count` elements: equal for equal type signatures, whatever the constructors and processes. No data (no
 * elements, or of size 0) also has one. 0: not comparable, as for MPI_BYTE, MPI_PACKED, or types not fully known.
 * `*signatures` NULL: none yet. */
uint64_t type_signature(const struct reading *reading, struct type_signatures **signatures, int64_t count,
                        const struct mpilens_datatype *datatype);

/* Takes NULL. */
void type_signatures_free(struct type_signatures *all);

#endif
