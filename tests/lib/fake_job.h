/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fake target in a usual state: rank 1 of 4 with communicators, operations, a waiting thread. Its handles and sizes
 * are MPICH's.
 */
#ifndef MPILENS_FAKE_JOB_H
#define MPILENS_FAKE_JOB_H

#include "fake_debugger.h"

enum { FAKE_ANY_SOURCE = -2, FAKE_ANY_TAG = -1, FAKE_PROC_NULL = -3 };

struct fake_job {
    struct fake_target *target;
    struct {
        uint32_t send, recv, isend, issend, irecv, send_init, mrecv, waitall, test, iprobe, probe, barrier, bcast,
            split, intercomm_create, type_vector, improbe, sendrecv;
    } function;
    uint64_t world_group; /* addresses of records */
    uint64_t world;
    uint64_t self;
    uint64_t split; /* world ranks 3, 1: made by MPI_Comm_split of MPI_COMM_WORLD, no name */
    uint64_t inter; /* local: 0, 1; remote: 2, 3 */
    uint64_t int_type;
    uint64_t vector_type; /* 24 bytes, no name */
    uint64_t serial;      /* of the operation added last */
    uint64_t communicator_count;
    uint32_t group_count;
};

/* The communicators and datatypes above; no operation, no thread. Not yet published. */
void fake_job_create(struct fake_job *job, const struct fake_options *options);

/* Adds operations, threads, channels and messages of every kind, publishes. */
void fake_job_populate(struct fake_job *job);

/* A nonblocking operation of thread 0 on MPI_COMM_WORLD with the next serial, 10 MPI_INT, pending; to be changed. */
struct mpilens_operation fake_job_operation(struct fake_job *job, uint32_t function, uint32_t flags, int32_t peer,
                                            int32_t tag);

uint64_t fake_job_add(struct fake_job *job, const struct mpilens_operation *operation);

/* A communicator over a group given as ranges; the next serial. */
struct mpilens_communicator fake_job_communicator(struct fake_job *job, uint64_t group, int32_t rank, int32_t size,
                                                  const char *name);

/* Adds a group of up to two ranges. */
uint64_t fake_job_group(struct fake_job *job, int32_t rank, int32_t size, const struct mpilens_range *ranges,
                        uint32_t range_count);

#endif
