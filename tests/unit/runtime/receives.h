/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several receives that are pending at the same time.
 */
#ifndef TESTS_RUNTIME_RECEIVES_H
#define TESTS_RUNTIME_RECEIVES_H

#include "inside.h"

enum { REQUESTS = 6 };

extern MPI_Request requests[REQUESTS];
extern struct mpilens_operation *operations[REQUESTS]; /* of these requests */

/* Receives from anybody with tags 0, 1, ...; message i comes from i % 4 and has 10 + i bytes. Nothing is done. */
void post_receives(void);

/* Operation i has received its message. */
void check_over(int i);

/* Those with a bit in the mask have, all others are pending. */
void check_only_over(unsigned mask);

/* Completes what is left and ends. */
void finish_receives(void);

#endif
