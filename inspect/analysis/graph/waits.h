/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the blocked threads of a job wait for, as a wait-for graph.
 *
 * A node stands for a process (which can act if one of its threads can), a thread, one of the polls that a thread makes
 * in turn (it goes on when any of them finds something), an operation that a call waits for,
 * all members of a communicator of whom any may send, or what the members wait for that are in one collective call. Who
 * is not known, or may do anything, is one node that can act.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_H

#include "analysis/calls/job_index.h"
#include "analysis/findings/finding.h"
#include "analysis/graph/wait_graph.h"
#include "model/model.h"

struct analysis_options {
    double patience_s; /* a rank that is not in MPI and for which others have waited longer is a finding */
    uint64_t growth;   /* unreceived messages at a rank beyond this number are a finding where they grow */
};

enum wait_subject_kind {
    SUBJECT_ANYTHING, /* can act */
    SUBJECT_STRANGERS,
    SUBJECT_PROCESS,
    SUBJECT_THREAD,
    SUBJECT_POLL, /* one of several of a thread */
    SUBJECT_OPERATION,
    SUBJECT_MEMBERS,    /* of a communicator, any of them */
    SUBJECT_COLLECTIVE, /* call `serial` on a communicator, window or file: those that have not begun it */
    SUBJECT_CALL,       /* MPI_Init, MPI_Finalize, the other side of a connection, a call of the members of a group
                         * (`thread` is in it): those that are not in it */
    SUBJECT_SPAWNED,    /* processes that were spawned and can never join */
};

/* There are as many as operations, so members that no kind has together share their place. */
struct wait_subject {
    enum wait_subject_kind kind;
    uint32_t process; /* number in the job, of a process, thread, poll or operation */
    union {
        const struct thread *thread;   /* of a thread or poll; else see wait_subject_thread */
        const struct request *request; /* of an operation; NULL: `operation` or a probe */
    };
    union {
        const struct thread *poll;         /* of a poll: the thread as if it made this one alone */
        const struct operation *operation; /* of an operation; NULL: `request` or a probe */
        const struct object *object;       /* of collective calls on a window or file; NULL: on the communicator */
    };
    const struct communicator *communicator; /* of operations (NULL: none), members and collective calls */
    uint64_t serial;                         /* of a collective call */
    uint32_t other_of_round;                 /* of a collective call: the node of other waits in it, NO_NODE: none */
    bool is_exchange;                        /* of a neighborhood collective: those that `process` waits for */
    bool is_of_some;                         /* of a scan: those that some of its members wait for */
};

struct known_round;
struct known_rounds;

struct waits {
    const struct job *job;
    const struct analysis_options *options;
    struct job_index index;
    struct wait_graph graph;
    struct wait_subject *subjects; /* by node */
    size_t subject_count;
    uint32_t anything;       /* the node that can act */
    uint32_t strangers;      /* the node of ranks that are not known: of another MPI_COMM_WORLD; can act */
    uint32_t *process_nodes; /* by number of process */
    void *shared;            /* tsearch tree of nodes that stand for many */
    struct known_rounds *rounds;
};

/* Gives back what waits_find (waits_find.h) has built. */
void waits_clear(struct waits *waits);

/* The thread of a thread or poll; NULL: another node. */
const struct thread *wait_subject_thread(const struct wait_subject *subject);
/* The one call that the node of a thread or poll stands for; NULL: another node, or a thread that polls in turn. */
const struct thread *wait_subject_call(const struct wait_subject *subject);
/* Whether it is a send or receive, or a thread or poll that probes. */
bool wait_subject_is_message(const struct wait_subject *subject);

/* Adds a node. */
uint32_t waits_add(struct waits *waits, enum wait_mode mode, struct wait_subject subject);
/* With all members of a group. A group may say that it has any number: those that no process is of count as one. */
void waits_connect_group(struct waits *waits, uint32_t node, const struct group *group);
/* With the members of a group that none of the `found` ones that have a process is: at most two edges. */
void waits_connect_others(struct waits *waits, uint32_t node, const struct group *group, int32_t found);
void waits_connect_rank(struct waits *waits, uint32_t node, int32_t world_rank);
/* The node for all that wait in the same call: `key` tells calls apart. *ret_is_new: it has no edges yet. */
struct shared_key {
    enum wait_subject_kind kind;
    uint64_t id; /* of the communicator, window or file */
    uint64_t serial;
    const char *function; /* NULL: none */
};
uint32_t waits_share(struct waits *waits, struct shared_key key, enum wait_mode mode, struct wait_subject subject,
                     bool *ret_is_new);

#endif
