/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls of hand-made jobs, with what is given to them.
 */
#ifndef TESTS_GIVEN_CALLS_H
#define TESTS_GIVEN_CALLS_H

#include "model/model.h"

/* The data that a rank gives. Types are equal if their numbers are. */
struct given {
    int64_t count;
    const char *datatype;
    int64_t bytes;
    uint64_t signature;
};

extern const struct given ints, other_ints, doubles, floats, unknown;
extern const struct given bytes;    /* as many as ints */
extern const struct given int_rows; /* the same data as ints */

/* The next call of a rank on MPI_COMM_WORLD. */
struct collective_call *make_call(struct job *job, int rank, const char *function, struct given given, bool active);
/* The same, and the rank is in it, stalled. */
struct collective_call *be_in_call(struct job *job, int rank, const char *function, struct given given);

#endif
