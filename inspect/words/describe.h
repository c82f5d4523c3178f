/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of the model in words, for people. The caller frees what is returned as char *.
 */
#ifndef MPILENS_INSPECT_WORDS_DESCRIBE_H
#define MPILENS_INSPECT_WORDS_DESCRIBE_H

#include "model/model.h"

#include <stdio.h>

/* One name per communicator of a job: that of the application or of MPI, else where it comes from, with a number where
 * that is not enough to tell them apart. */
struct communicator_labels {
    struct communicator_label {
        uint64_t id;
        uint32_t serial;
        char *text;
    } * items; /* by id */
    size_t count;
};
struct communicator_labels label_communicators(const struct job *job);
const char *find_label(const struct communicator_labels *labels, uint64_t id);
void communicator_labels_clear(struct communicator_labels *labels);

/* "MPI_Comm_split of MPI_COMM_WORLD"; NULL: predefined or not known. */
char *describe_origin(const struct communicator *communicator);
/* "MPI_Recv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)"; "polling MPI_Iprobe(...) and MPI_Test(...)"; "not in MPI". */
char *describe_call(const struct process *process, const struct thread *thread,
                    const struct communicator_labels *labels);
/* "MPI_Waitall(2 receives, 1 send)", of a call that waits for requests. */
char *describe_call_numbers(const struct process *process, const struct thread *thread);
/* What stands in front of the poll with this number of all that the thread makes in turn: "", ", " or " and ". */
const char *describe_poll_separator(const struct thread *thread, size_t number);
/* "MPI_Irecv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)". */
char *describe_operation(const struct operation *operation, const struct communicator *communicator,
                         const struct communicator_labels *labels);
/* A peer in a call, and the rank and size of its communicator at the process that makes the call. */
struct open_peer {
    int32_t rank, size;
    int32_t local, world;
};

/* False: it cannot be left open, as a peer in another group, or any. */
bool open_peer_of(int32_t local, int32_t world, const struct communicator *communicator, struct open_peer *ret_peer);

/* A call or operation whose peers are left open, for calls that differ in nothing else: PEER_MARK stands in the text
 * for each of them. The caller frees the text. */
#define PEER_MARK "\032"
enum { MOST_OPEN_PEERS = 4 };
struct open_call {
    char *text;
    struct open_peer peers[MOST_OPEN_PEERS];
    size_t peer_count;
};
/* The call of a thread that is in one, or of the polls only the first. */
struct open_call describe_open_call(const struct process *process, const struct thread *thread,
                                    const struct communicator_labels *labels);
/* As describe_call(). */
struct open_call describe_open_calls(const struct process *process, const struct thread *thread,
                                     const struct communicator_labels *labels);
/* Writes one call of several: appends the peers that it leaves open to those of `all`; where they find no more room,
 * they are filled in. Takes `call`. */
void append_open_call(FILE *stream, struct open_call *all, struct open_call call);
/* The text with those peers in it, as many as are left open. The caller frees it. */
char *fill_open_text(const char *text, char *const *peers, size_t count);
/* The text with its own peers, which is taken. The caller frees it. */
char *fill_open_call(struct open_call call);
struct open_call describe_open_operation(const struct operation *operation, const struct communicator *communicator,
                                         const struct communicator_labels *labels);

/* "0", "0 (world 4)", "any". */
char *describe_rank(int32_t local, int32_t world);
/* "tag 7", "any tag". */
char *describe_tag(bool wild, int32_t tag);
/* "ring.c:41 main", "ring+0x1139 main". */
char *describe_site(const struct site *site);
/* "12.3 s", "17 min"; "" when not known. */
char *describe_age(double age_s);
const char *describe_state(enum process_state state);
/* "pending", "inferred", "pending, 2 of 4 ready". */
char *describe_operation_status(const struct operation *operation);

/* "collective", "one-sided"; of the class of an operation. */
const char *describe_class(uint32_t operation_class);
/* "exclusive", "shared"; of enum mpilens_lock_type. */
const char *describe_lock(uint32_t lock_type);
/* "pending", "complete", "inactive", "released". */
const char *describe_request_status(const struct request *request);
/* "window \"halo\"", "file \"out.dat\"", "window #1 of MPI_COMM_WORLD". */
char *describe_object(const struct process *process, uint32_t kind, uint32_t serial,
                      const struct communicator_labels *labels);
/* "call 3 on MPI_COMM_WORLD", "window \"halo\""; "" where there is none. */
char *describe_request_place(const struct process *process, const struct request *request,
                             const struct communicator_labels *labels);
/* "MPI_Ibcast, root 0, call 3 on MPI_COMM_WORLD". */
char *describe_request(const struct process *process, const struct request *request,
                       const struct communicator_labels *labels);

#endif
