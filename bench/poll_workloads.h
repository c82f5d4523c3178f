/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Workloads of tests and probes that find nothing.
 */
#ifndef MPILENS_BENCH_POLL_WORKLOADS_H
#define MPILENS_BENCH_POLL_WORKLOADS_H

#include "workloads.h"

void test_nothing(const struct traffic *traffic, int iterations);
void testall_nothing(const struct traffic *traffic, int iterations);
void testany_nothing(const struct traffic *traffic, int iterations);
void testsome_nothing(const struct traffic *traffic, int iterations);
void request_get_status_nothing(const struct traffic *traffic, int iterations);
void iprobe_nothing(const struct traffic *traffic, int iterations);
void improbe_nothing(const struct traffic *traffic, int iterations);
void iprobe_test_nothing(const struct traffic *traffic, int iterations);
void iprobe_test_testall_nothing(const struct traffic *traffic, int iterations);

#endif
