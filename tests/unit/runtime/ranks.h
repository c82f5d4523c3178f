/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several ranks, each in a process of its own.
 */
#ifndef TESTS_RUNTIME_RANKS_H
#define TESTS_RUNTIME_RANKS_H

#include <stddef.h>

/* Zeroed memory that the processes of the ranks share with the test; never freed. */
void *shared_by_ranks(size_t bytes);

/* Calls `work` as each of these ranks, one after the other, initialized. Must come before the test's own first call of
 * MPI. Fails the test where one does not come to its end. */
void run_ranks(int count, void (*work)(int rank));

#endif
