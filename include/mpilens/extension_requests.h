/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of extension.h about requests that stand in no queue.
 */
#ifndef MPILENS_EXTENSION_REQUESTS_H
#define MPILENS_EXTENSION_REQUESTS_H

#include "mpilens/extension_communicators.h"
#include "mpilens/message_queue.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- requests of the process outside all queues, in the order in which they were made: operations that are neither
 * send nor receive, and inactive persistent requests of every class --- */
int mpilens_setup_request_iterator(mqs_process *process);
int mpilens_next_request(mqs_process *process, struct mpilens_operation_information *ret_request);

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
