/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The arguments of the constructor of a datatype.
 */
#ifndef MPILENS_DLL_TYPES_DATATYPE_ARGUMENTS_H
#define MPILENS_DLL_TYPES_DATATYPE_ARGUMENTS_H

#include "snapshot/reading.h"
#include "target/object_block.h"

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

#endif
