/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Built as modules under several names.
 */
#ifndef TESTS_RUNTIME_CALLER_PROBE_H
#define TESTS_RUNTIME_CALLER_PROBE_H

/* MPI_Send of nothing to rank 3. */
int caller_probe(int (*send)(const void *, int, int, int, int, int), int datatype, int communicator);

#endif
