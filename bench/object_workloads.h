/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Workloads that make an object of one kind and free it.
 */
#ifndef MPILENS_BENCH_OBJECT_WORKLOADS_H
#define MPILENS_BENCH_OBJECT_WORKLOADS_H

#include "workloads.h"

void make_communicator(const struct traffic *traffic, int iterations);
void make_cartesian_communicator(const struct traffic *traffic, int iterations);
void make_group(const struct traffic *traffic, int iterations);
void make_datatype(const struct traffic *traffic, int iterations);
void make_struct_datatype(const struct traffic *traffic, int iterations);
void make_op(const struct traffic *traffic, int iterations);
void make_errhandler(const struct traffic *traffic, int iterations);
void make_info(const struct traffic *traffic, int iterations);
void make_keyval(const struct traffic *traffic, int iterations);
void make_window(const struct traffic *traffic, int iterations);
void make_file(const struct traffic *traffic, int iterations);
#if MPI_VERSION >= 4
void make_session(const struct traffic *traffic, int iterations);
#endif

#endif
