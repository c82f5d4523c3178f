/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI traffic that the benchmarks measure: each workload is a loop over one kind of operation.
 */
#ifndef MPILENS_BENCH_WORKLOADS_H
#define MPILENS_BENCH_WORKLOADS_H

#include "calls.h"

#include <stdbool.h>
#include <stddef.h>

struct traffic {
    const struct calls *calls;
    MPI_Comm communicator;
    int rank; /* in the communicator */
    int peer; /* the rank that is sent to and received from: the other of two, or the rank itself */
};

struct workload {
    const char *name;
    int ranks;          /* 1: alone, with MPI_PROC_NULL or itself; 2: between two */
    int blocking;       /* operations of one iteration that a blocking call makes */
    int nonblocking;    /* operations of one iteration from post to collected */
    int iterations;     /* enough for an exact count; a multiple of what any ring or batch in the runtime holds */
    bool makes_objects; /* communicators: these may allocate */
    bool prepares_much; /* so much that only differences of two numbers of iterations say something */
    void (*run)(const struct traffic *traffic, int iterations);
};

extern const struct workload workloads[];
extern const size_t workload_count;

/* Traffic of a rank that is alone, and of one of two in MPI_COMM_WORLD. */
struct traffic traffic_alone(const struct calls *calls);
struct traffic traffic_of_two(const struct calls *calls);

#endif
