/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects of every kind, and an operation of every class that is neither send nor receive, in a fake job.
 */
#ifndef MPILENS_FAKE_OBJECTS_H
#define MPILENS_FAKE_OBJECTS_H

#include "fake_job.h"

struct fake_objects {
    struct {
        uint32_t ibarrier, ibcast, barrier_init, rput, iread, idup, grequest_start, iflush, psend_init, win_lock,
            win_create, win_fence, win_test, file_open, read_all, read_begin, op_create, errhandler_create, info_create,
            keyval_create, session_init, group_incl, wait, start;
    } function;
    uint64_t window; /* addresses of records; over the communicator `split` (world ranks 3, 1) */
    uint64_t file;
    uint64_t pending_communicator; /* of MPI_Comm_idup */
    uint64_t op, errhandler, info, keyval, freed_keyval, attribute, session, group;
    uint64_t started_group; /* of MPI_Win_start */
    uint64_t partitions;
    uint64_t partitioned; /* persistent request */
    uint64_t partitioned_send;
    /* Serials of operations. */
    struct {
        uint64_t ibarrier, ibcast, barrier_init, rput, iread, idup, grequest, iflush, send_init, partitioned_send,
            finished;
    } serial;
};

/* Adds them to a job that was created and not published; thread 0 has started all operations. */
void fake_objects_add(struct fake_objects *objects, struct fake_job *job);

#endif
