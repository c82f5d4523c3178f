/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What datatypes were made of: the arguments of their constructors. A record of a datatype that is one of the arguments
 * stays as long as the record of the datatype that was made of it.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_DATATYPE_CONTENTS_H
#define MPILENS_RUNTIME_OBJECTS_DATATYPE_CONTENTS_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

#include <stddef.h>

enum {
    DATATYPE_VALUES_KEPT = 1 << 16, /* of one datatype; of one with more, only the counts */
    DATATYPE_INTEGERS = 8,
    DATATYPE_ADDRESSES = 2,
};

/* `count` signed integers of `bytes` each. bytes 0: none, and none behind. */
struct datatype_values {
    const void *first;
    size_t count;
    size_t bytes;
};

/* Arguments of a constructor, in the order in which MPI_Type_get_contents gives them. */
struct datatype_contents {
    enum mpilens_combiner combiner;
    struct datatype_values integers[DATATYPE_INTEGERS];
    struct datatype_values addresses[DATATYPE_ADDRESSES];
    const MPI_Datatype *datatypes;
    size_t datatype_count;
};

/* Of a new record. */
void datatype_contents_set(struct mpilens_datatype *record, const struct datatype_contents *contents);

/* Of a new record that was made as the other one was. */
void datatype_contents_copy(struct mpilens_datatype *record, const struct mpilens_datatype *original);

/* The record of its n-th argument that is a datatype, or NULL: there is none, or it is not known. */
struct mpilens_datatype *datatype_contents_component(const struct mpilens_datatype *record, size_t n);

/* The n-th one, not known so far, is this record. */
void datatype_contents_set_component(struct mpilens_datatype *record, size_t n, struct mpilens_datatype *component);

/* Nobody will see the datatype's record again. */
void datatype_contents_give_back(void *given);

#endif
