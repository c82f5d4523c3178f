/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the constructor of a datatype puts where (MPI 4.1, section 5.1).
 */
#ifndef MPILENS_DLL_TYPES_TYPE_CONSTRUCTORS_H
#define MPILENS_DLL_TYPES_TYPE_CONSTRUCTORS_H

#include "target/object_block.h"
#include "types/datatype_arguments.h"
#include "types/type_item.h"

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
/* Its name; those of Fortran that are made by parameters may have none: then the function that makes them. */
const char *type_basic_name(const struct mpilens_datatype *basic);

/* Item `number` (from 0) of the constructor. mqs_ok, mqs_end_of_list, mqs_no_information: not known; or a code of
 * reading the target. */
int type_item_get(struct type_source *source, const struct mpilens_datatype *datatype, uint64_t number,
                  struct type_item *ret_item);

/* The same, but only what there is and not where: there are fewer items, displacements and strides mean nothing. */
int type_content_get(struct type_source *source, const struct mpilens_datatype *datatype, uint64_t number,
                     struct type_item *ret_item);

void type_source_free(struct type_source *source);

#endif
