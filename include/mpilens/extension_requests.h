/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of extension.h about requests that stand in no queue.
 */
#ifndef MPILENS_EXTENSION_REQUESTS_H
#define MPILENS_EXTENSION_REQUESTS_H

#include "mpilens/message_queue.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- requests of the process outside all queues, in the order in which they were made: operations that are neither
 * send nor receive, and inactive persistent requests of every class --- */
struct mpilens_request_information {
    size_t struct_size;
    uint64_t serial;          /* of the operation, unique in the process */
    uint32_t operation_class; /* the one flag of MPILENS_OPERATION_* (layout.h) that tells the class */
    uint32_t flags;           /* MPILENS_OPERATION_* */
    uint32_t state;           /* enum mpilens_operation_state (layout.h) */
    uint32_t active;          /* 0: a persistent request that was not started, or is collected */
    uint32_t complete;        /* 1: known to be complete, not collected */
    uint32_t persistent;
    uint64_t request; /* handle, 0: freed or not known yet */
    uint64_t posted;  /* ticks */
    uint64_t site;    /* return address of the call that made it */
    char function[48];
    uint64_t communicator_id; /* 0: none or not known */
    uint64_t object_id;       /* unique_id of the object, 0: none */
    uint32_t object_kind;     /* enum mpilens_object_kind: the object that it works on, or that MPI_Comm_idup makes */
    uint32_t object_serial;
    uint32_t thread_index;
    uint32_t has_root;
    uint32_t tag_wild;
    int32_t peer_local; /* root, target, destination or source; -1: any, none or not known */
    int32_t peer_world;
    int32_t tag;         /* of sends and receives, where tag_wild is 0 */
    uint64_t collective; /* n-th collective call on its communicator, 0: not one */
    int64_t offset;      /* in the file; -1: none or not known */
    int64_t count;       /* -1: none or not known */
    int64_t bytes;       /* -1: none or not known */
    char datatype[128];
    uint64_t datatype_handle;
    uint64_t buffer;
    int64_t partition_count;     /* of a partitioned request; -1: none or not known */
    int64_t fortran_handle;      /* an int of Fortran; meaningless where has_fortran_handle is 0 */
    uint32_t has_fortran_handle; /* of an iterator only where that int is the C handle */
    uint32_t sharers;   /* operations under way with this handle, which MPI may give to several that are complete
                           at once; of an iterator 0: not counted */
    uint32_t to_nobody; /* 1: its peer is MPI_PROC_NULL */
    uint32_t purpose;   /* of `function`: enum mpilens_purpose (layout.h) */
};
int mpilens_setup_request_iterator(mqs_process *process);
int mpilens_next_request(mqs_process *process, struct mpilens_request_information *ret_request);

/* Partitions first to first + count - 1 of a partitioned request: all of them marked, or none. */
struct mpilens_partition_run {
    uint32_t first; /* from 0 */
    uint32_t count;
    uint32_t marked; /* of a send: ready; of a receive: seen to have arrived */
    uint32_t reserved;
};
/* The partitions of an active request in order, by the serial of its operation: up to `capacity` of all *ret_count
 * runs. The marks are read now, not from the copy. mqs_no_information: no such request, not active, not partitioned,
 * or more than 2^22 partitions. */
int mpilens_get_partitions(mqs_process *process, uint64_t serial, struct mpilens_partition_run *ret_runs,
                           size_t capacity, size_t *ret_count);

#ifdef __cplusplus
}
#endif

#endif
