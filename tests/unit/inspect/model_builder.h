/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs made by hand for unit tests of the command: processes that send to and receive from each other.
 */
#ifndef TESTS_MODEL_BUILDER_H
#define TESTS_MODEL_BUILDER_H

#include "model/model.h"

/* A job of `size` processes, each with MPI_COMM_WORLD (id 1) as its first communicator. */
struct job build_job(int size);

/* Adds a communicator to a process: rank `rank` of `size`; remote_size 0: intracommunicator. The pointer is valid until
 * the next one is added to the same process. */
struct communicator *build_communicator(struct process *process, uint64_t id, int rank, int size, int remote_size);
struct communicator *world_of(struct job *job, int rank);

enum build_status { BUILD_PENDING, BUILD_COMPLETE, BUILD_RETIRED };

/* A send or receive in the queue (pending, complete) or flight recorder (retired) of the communicator; also counted in
 * its channel: sends always, receives when they are retired. `peer` -1: any source, `tag` -1: any tag. */
struct operation *build_send(struct communicator *communicator, int peer, int peer_world, int tag,
                             enum build_status status);
struct operation *build_receive(struct communicator *communicator, int peer, int peer_world, int tag,
                                enum build_status status);
/* Sets the message that a retired or complete receive got. */
void build_actual(struct communicator *communicator, struct operation *receive, int source, int source_world, int tag);
/* The details of an operation, to be changed: from now on they are of this one alone. */
struct operation_details *build_details(struct operation *operation);
/* A message of an integer that MPI itself had. */
struct operation *build_exact(struct communicator *communicator, int source, int source_world, int tag);
/* The next collective call on the communicator, under way, without root and data. The pointer is valid until the next
 * one. */
struct collective_call *build_collective(struct communicator *communicator, const char *function);
/* Messages that only the channel remembers. */
void build_forgotten(struct communicator *communicator, int peer, int peer_world, uint64_t sent, uint64_t received);

#endif
