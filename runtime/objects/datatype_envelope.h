/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asking MPI how a datatype was made that nobody was seen to make.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_DATATYPE_ENVELOPE_H
#define MPILENS_RUNTIME_OBJECTS_DATATYPE_ENVELOPE_H

#include "mpi/mpi_traits.h"
#include "mpilens/layout.h"

#include <stdbool.h>
#include <stddef.h>

/* What MPI_Type_get_envelope says. */
struct datatype_envelope {
    enum mpilens_combiner combiner;
    bool fixed; /* named, or one that MPI_Type_create_f90_* always gives: not to be freed */
    size_t integer_count;
    size_t address_count;
    size_t large_count; /* values of MPI_Count */
    size_t datatype_count;
};

/* Of a datatype that is certainly valid. False: MPI would not say. */
bool datatype_envelope_ask(MPI_Datatype handle, struct datatype_envelope *ret_envelope);

/* Fills in the contents of a new record. `handle` is a datatype that is certainly valid. Of the datatypes that it was
 * made of, those that no record names get records of their own, without a handle; up to a limit. */
void datatype_envelope_describe(struct mpilens_datatype *record, MPI_Datatype handle);

#endif
