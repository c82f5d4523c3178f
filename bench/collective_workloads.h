/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Workloads of collective operations.
 */
#ifndef MPILENS_BENCH_COLLECTIVE_WORKLOADS_H
#define MPILENS_BENCH_COLLECTIVE_WORKLOADS_H

#include "workloads.h"

void barrier(const struct traffic *traffic, int iterations);
void allgatherv(const struct traffic *traffic, int iterations);
void ibarrier_wait(const struct traffic *traffic, int iterations);
void iallreduce_wait(const struct traffic *traffic, int iterations);

#endif
