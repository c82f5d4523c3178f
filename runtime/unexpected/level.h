/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI is initialized for several threads, because of the one that takes messages out; the application is told the level
 * that it has asked for.
 */
#ifndef MPILENS_RUNTIME_UNEXPECTED_LEVEL_H
#define MPILENS_RUNTIME_UNEXPECTED_LEVEL_H

/* `ret_provided` may be NULL. Returns an error of MPI. */
int level_initialize(int *argc, char ***argv, int required, int *ret_provided);

int level_query(int *ret_provided);

#endif
