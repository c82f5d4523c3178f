/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wait-for graph: its nodes and edges, and the groups that can never go on.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_GRAPH_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_GRAPH_H

#include "analysis/calls/calls.h"
#include "analysis/findings/findings.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct known_rounds;

/* -- wait_graph.c -- A wait-for graph with AND and OR nodes: finds the nodes that can never go on, and the cause.
 *
 * A node goes on when enough of its successors can act: all of them, any of them, at once (it waits for nothing), or
 * never. A node is dead if no future course of the others lets it go on (the dead are the greatest set in which each
 * waits for another one of the set, or for something that will never come). All functions take time and memory linear
 * in nodes and edges.
 */

enum wait_mode {
    WAITS_FOR_NOTHING, /* can act */
    WAITS_FOR_ALL,
    WAITS_FOR_ANY, /* without edges: never */
    WAITS_IN_VAIN,
};

struct wait_edge {
    uint32_t from, to;
};

struct wait_node {
    uint8_t mode;        /* enum wait_mode */
    bool dead;           /* by wait_graph_solve */
    uint32_t first_edge; /* by wait_graph_solve: into wait_graph.successors */
    uint32_t edge_count; /* number of its edges there, by wait_graph_solve */
    uint32_t component;  /* by wait_graph_solve, of dead nodes: which of the strongly connected components of the dead
                            part; NO_COMPONENT else */
    uint32_t place;      /* by wait_graph_solve, of dead nodes: place in the component */
};

#define NO_NODE      UINT32_MAX
#define NO_COMPONENT UINT32_MAX

struct wait_component {
    uint32_t first; /* into wait_graph.by_component */
    uint32_t count;
    bool is_sink;   /* it waits for no other dead component: it is a cause, not a consequence */
    bool is_cyclic; /* its nodes wait for each other, or its only one for itself */
};

/* Zero-initialised is empty. */
struct wait_graph {
    struct wait_node *nodes;
    size_t node_count;
    struct wait_edge *edges; /* as added; until wait_graph_solve */
    size_t edge_count;
    uint32_t *successors; /* by wait_graph_solve */
    struct wait_component *components;
    size_t component_count;
    uint32_t *by_component; /* dead nodes, grouped by component */
};

/* The number of the new node. */
uint32_t wait_graph_add(struct wait_graph *graph, enum wait_mode mode);
void wait_graph_connect(struct wait_graph *graph, uint32_t from, uint32_t to);

/* Finds the dead nodes and their components. Once, after all nodes and edges were added. */
void wait_graph_solve(struct wait_graph *graph);

/* Reverse edges: the nodes that wait for node n are items[starts[n]] to items[starts[n + 1]], in the order of their
 * numbers. After wait_graph_solve. */
struct wait_waiters {
    uint32_t *starts; /* [node_count + 1] */
    uint32_t *items;
};
struct wait_waiters wait_graph_list_waiters(const struct wait_graph *graph);

/* -- waits.c -- The waits of a job's blocked threads as a wait-for graph.
 *
 * A node stands for a process (which can act if one of its threads can), a thread, one of the polls that a thread makes
 * in turn (it goes on when any of them finds something), an operation that a call waits for, all members of a
 * communicator of which any may send, or the common wait of the members in one collective call. One node that can act
 * stands for unknown processes and those that may do anything.
 */

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
        const struct thread *thread;     /* of a thread or poll; else see wait_subject_thread */
        const struct operation *request; /* of an operation; NULL: `operation` or a probe */
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

struct waits {
    const struct job *job;
    const struct analysis_options *options;
    struct job_index index;
    struct wait_graph graph;
    struct wait_subject *subjects; /* by node */
    size_t subject_count;
    uint32_t anything;         /* the node that can act */
    uint32_t strangers;        /* the node of ranks that are not known: of another MPI_COMM_WORLD; can act */
    uint32_t *process_nodes;   /* by number of process */
    struct arena_node *shared; /* nodes that stand for many */
    struct known_rounds *rounds;
};

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

/* -- awaited_ranks.c --
 * Ranks that others wait for and that can still act.
 */

/* How a rank comes to be able to act. */
enum liveness {
    LIVES_NOT,
    LIVES_UNREAD,  /* its state is not known; no finding */
    LIVES_IN_MPI,  /* a thread goes from call to call */
    LIVES_BESIDE,  /* threads are blocked in MPI, and others are not in MPI */
    LIVES_OUTSIDE, /* it is not in MPI */
};

/* Ranks that can act in the same way, and for which the same ranks wait. */
struct awaited_ranks {
    const struct process **processes; /* one or more, by rank; none: ranks of another MPI_COMM_WORLD */
    size_t count;
    enum liveness liveness;
    bool is_stopped;    /* by a signal or debugger */
    bool is_away;       /* they have not called MPI for longer than the patience, or it is not known when they did */
    bool only_accesses; /* all of them, and for longer than the patience: nothing but calls that access windows */
    struct ranks waiters;
    const struct thread *waiting; /* of the first of them */
    double age_s;                 /* of the longest wait */
};

struct awaited_list {
    struct awaited_ranks *items; /* by the first rank of each */
    size_t count;
};

struct awaited_list awaited_ranks_find(const struct waits *waits, const struct wait_waiters *waiters);
/* Whether it could act, but has not called MPI for longer than the patience, or is stopped. */
bool process_is_away(const struct waits *waits, const struct process *process);
/* As awaited_ranks_find, for ranks of another MPI_COMM_WORLD. */
struct awaited_ranks awaited_strangers_find(const struct waits *waits, const struct wait_waiters *waiters);

/* -- known_rounds.c --
 * A cache of examined collective calls, shared by all of their members.
 */

struct known_round {
    struct collective_round round;
    struct unequal_pair unequal; /* where that is its difference */
    size_t begun_count;          /* members that have begun the call */
    uint32_t last_node; /* of the wait-for graph, of those that stand for waits in this call; NO_NODE: none so far */
    /* For scans: the members that have not begun it, by their ranks in the communicator, and for each, as far as they
     * are waited for, the node for those that wait for it and all before it. */
    bool late_is_known;
    int32_t *late;
    size_t late_count;
    uint32_t *late_nodes;
    size_t late_node_count;
};

/* `patience_s`: see round_amounts.c. */
struct known_rounds *known_rounds_create(double patience_s);

/* The n-th call on the communicator, window or file that `one` is a member of; its process does not matter. Stays the
 * caller's to change until the end of `rounds`. */
struct known_round *known_round_find(struct known_rounds *rounds, const struct job_index *index,
                                     const struct job_member *one, uint64_t serial);

/* -- wait_knot.c --
 * Knots of a wait-for graph.
 */

/* A small part of a cyclic component that cannot go on whatever happens outside of it: a shortest cycle where no node
 * in it has a choice, else a closed set found from the node that gives the smallest. How well it is searched is bounded
 * by a number of steps, so the result is small, not always the smallest. */
void wait_graph_find_knot(const struct wait_graph *graph, uint32_t component, uint32_t **ret_nodes, size_t *ret_count);

/* -- waits_calls.c -- The waits of calls that all members of a communicator, window or file make, or all processes.
 */

/* Gives the node of a thread its mode and edges. False: the wait is not known, or will end. */
bool waits_in_call(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread);

/* -- waits_collective.c -- The waits of collective calls.
 */

/* Connects with what a member of a communicator, window or file waits for in a collective call on it. False: not known.
 */
bool waits_for_collective(struct waits *waits, uint32_t node, const struct job_member *self, uint64_t serial);

/* -- waits_connections.c -- The waits of MPI_Comm_accept, MPI_Comm_connect and similar calls.
 */

/* Gives the node of a thread its mode and edges. False: the wait is not known, or will end. */
bool waits_for_connection(struct waits *waits, uint32_t node, const struct communicator *communicator,
                          const struct thread *thread);

/* -- waits_find.c --
 * The wait-for graph of a whole job.
 */

/* Builds the graph and solves it. `job` has been completed (complete_job). */
void waits_find(const struct job *job, const struct analysis_options *options, struct waits *ret_waits);
/* As waits_find, as if ranks of another MPI_COMM_WORLD never acted. */
void waits_find_alone(const struct job *job, const struct analysis_options *options, struct waits *ret_waits);

/* -- waits_group.c --
 * MPI_Comm_create_group, which only the members of a group call: with the same group and tag on the same communicator
 * (MPI 4.1, section 7.4.2).
 */

/* Connects the node of the thread with the members of its group that are in no such call. Where one is in such a call
 * with another group or tag, nothing can come. False: it is another call, or one that waits for nobody. */
bool waits_for_group(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread);

/* The call of the process on the communicator of `thread`; NULL: it is in none. */
const struct thread *group_call_of(const struct process *process, const struct thread *thread);
/* The call that the node stands for; NULL: it stands for something else. */
const struct thread *group_call_at(const struct wait_subject *subject);
/* Whether both belong together. */
bool group_calls_meet(const struct thread *left, const struct thread *right);

/* -- waits_lower_ranks.c -- The waits of scans.
 */

/* Connects with the members of lower rank that have not come to a scan. False: all have. */
bool waits_for_lower_ranks(struct waits *waits, uint32_t node, const struct job_member *self, uint64_t serial);

/* -- waits_neighbours.c -- The waits of neighborhood collectives.
 */

/* The node for a member's wait in a neighborhood collective. NO_NODE: its neighbours are not known, or members do not
 * agree about the call. */
uint32_t waits_add_exchange(struct waits *waits, const struct job_member *self, uint64_t serial);
/* World rank of a source of the member in neighborhood collectives that does not have it among its destinations; -1:
 * there is none, or it is not known. */
int32_t waits_find_silent_source(const struct waits *waits, const struct job_member *member);

/* -- waits_operations.c -- The waits of calls for messages and requests.
 */

/* Gives the node of a thread its mode and edges. False: the wait is not known, or will end. */
bool waits_for_operations(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread);
/* The node of a send or receive, connected with who must do the other half of it. */
uint32_t waits_add_message(struct waits *waits, uint32_t process, const struct operation *operation,
                           const struct communicator *communicator);
/* Connects with all members of the communicator (of the remote group of an intercommunicator): any of them. */
void waits_for_any_member(struct waits *waits, uint32_t node, uint32_t process,
                          const struct communicator *communicator);
/* Whether the send or receive at its other end is there, or may be: then it will complete. */
bool operation_has_partner(const struct operation *operation);
/* Whether a matched probe has taken the message of a send, and no receive of it was begun. */
bool operation_is_held(const struct operation *operation);

/* -- waits_round.c --
 * Nodes of the same collective call.
 */

/* The new node stands for waits in that call. */
void waits_add_to_round(struct waits *waits, uint32_t node, struct known_round *known);
/* Whether the member with this rank in the communicator has begun its n-th collective call. */
bool waits_has_rank_begun(const struct waits *waits, const struct communicator *communicator, int32_t local,
                          uint64_t serial);

/* -- waits_window.c -- The waits of epochs and locks of windows.
 */

/* Gives the node of a thread its mode and edges. False: the wait is not known, or will end. */
bool waits_for_window(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread);
/* Whether the thread is in MPI_Win_start or MPI_Win_complete, and all whose memory it accesses have exposed it to the
 * process. Adds those ranks; else nothing. */
bool window_epoch_is_met(const struct waits *waits, uint32_t process, const struct thread *thread, struct ranks *ranks);
/* Whether the call accesses memory that is known: adds the ranks that have it, but for its own. */
bool window_find_targets(const struct waits *waits, uint32_t process, const struct thread *thread, struct ranks *ranks);
/* MPI_Win_lock, MPI_Win_unlock, MPI_Win_flush and their like. */
bool is_lock_call(const struct thread *thread);
/* Whether the call accesses memory of others, for which their MPI libraries may have to act. */
bool is_access_call(const struct thread *thread);
/* The lock on a window that the call of the thread must wait for, because `other` has it; NULL: none. */
const struct window_lock *find_hindering_lock(const struct process *process, const struct thread *thread,
                                              const struct process *other);

#endif
