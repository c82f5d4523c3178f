/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of the model in words.
 */
#ifndef MPILENS_INSPECT_WORDS_WORDS_H
#define MPILENS_INSPECT_WORDS_WORDS_H

#include "base/base.h"
#include "model/model.h"

#include <stdio.h>

struct alike;

/* -- describe.c --
 * Parts of the model in words, for people. Texts are in the arena in use.
 */

/* One name per communicator of a job: from the application or MPI, else from its origin, with a number where names are
 * equal. */
struct communicator_labels {
    struct communicator_label {
        uint64_t id;
        uint32_t serial;
        const char *text;
    } * items; /* by id */
    size_t count;
};
struct communicator_labels label_communicators(const struct job *job);
const char *find_label(const struct communicator_labels *labels, uint64_t id);

/* "MPI_Comm_split of MPI_COMM_WORLD"; NULL: predefined or not known. */
const char *describe_origin(const struct communicator *communicator);
/* "0", "0 (world 4)", "any". */
const char *describe_rank(int32_t local, int32_t world);
/* "10 x MPI_INT (40 bytes)", "40 bytes", or "": the known amount. Negative, "": not known. */
const char *describe_amount(int64_t count, int64_t bytes, const char *datatype);
/* "tag 7", "any tag". */
const char *describe_tag(bool wild, int32_t tag);
/* "ring.c:41 main", "ring+0x1139 main". */
const char *describe_site(const struct site *site);
/* "12.3 s", "17 min"; "" when not known. */
const char *describe_age(double age_s);
const char *describe_state(enum process_state state);
/* "pending", "inferred", "exact", "pending, 2 of 4 ready". */
const char *describe_operation_status(const struct operation *operation);

/* -- open_call.c --
 * Calls in words, with their peers left open.
 */

/* A peer in a call, and the rank and size of its communicator at the process that makes the call. */
struct open_peer {
    int32_t rank, size;
    int32_t local, world;
};

/* False: it cannot be left open, as a peer in another group, or any. */
bool open_peer_of(int32_t local, int32_t world, const struct communicator *communicator, struct open_peer *ret_peer);

/* A call or operation whose peers are left open, for calls that differ in nothing else: PEER_MARK stands in the text
 * for each of them. */
#define PEER_MARK "\032"
enum { MOST_OPEN_PEERS = 4 };
struct open_call {
    const char *text;
    struct open_peer peers[MOST_OPEN_PEERS];
    size_t peer_count;
};
/* Writes one call of several: appends the peers that it leaves open to the peers of `all`, or fills them in if there
 * is no room. */
void append_open_call(FILE *stream, struct open_call *all, struct open_call call);
/* The text with those peers in it, as many as are left open. */
const char *fill_open_text(const char *text, const char *const *peers, size_t count);
/* The text with its own peers. */
const char *fill_open_call(struct open_call call);

/* -- activities.c -- The activities of a job's ranks, grouped: ranks in the same call at the same place are together,
 * even if their peers only follow a rule.
 */

/* The activity of one or several ranks. */
struct activity {
    const char *text;
    const char *site;
    double least_age_s, most_age_s; /* -1: not known */
    const char *color;              /* NULL: none */
    const struct rank_text *ranks;  /* ascending */
    size_t order;                   /* of the first of what it stands for */
};

/* Added activities, by text without peers. */

/* See activities_of_nobody. */
struct activities {
    struct activity **items; /* once they are closed, as first found */
    size_t count;
    struct alike **alike;
    size_t alike_count;
    size_t order;                   /* of what is added next */
    struct rank_texts alike_texts;  /* of all of `alike`, by number */
    struct rank_texts closed_texts; /* key texts of `items`, until they are closed */
};

/* Empty; with `apart` nothing will stand for several ranks. */
struct activities activities_of_nobody(bool apart);
/* Adds the activity of one thread of the rank; ranks ascend. */
void activities_add(struct activities *activities, int rank, struct open_call call, const char *site, double age_s,
                    const char *color);
/* Makes the items of what was added. */
void activities_close(struct activities *activities);

/* -- box_problem.c --
 * Says why a process has no black box, or not all of it.
 */

/* NULL: nothing, or it should have none. */
const char *describe_box_problem(const struct process *process);

/* -- describe_call.c --
 * Calls and operations in words.
 */

/* "MPI_Recv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)"; "polling MPI_Iprobe(...) and MPI_Test(...)"; "not in MPI". */
const char *describe_call(const struct process *process, const struct thread *thread,
                          const struct communicator_labels *labels);
/* "MPI_Waitall(2 receives, 1 send)", of a call that waits for requests. */
const char *describe_call_numbers(const struct process *process, const struct thread *thread);
/* The separator before the poll with this number among the polls that the thread makes in turn: "", ", " or " and ". */
const char *describe_poll_separator(const struct thread *thread, size_t number);
/* "MPI_Irecv(10 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)". */
const char *describe_operation(const struct operation *operation, const struct communicator *communicator,
                               const struct communicator_labels *labels);

/* The call of a thread that is in one, or of the polls only the first. */
struct open_call describe_open_call(const struct process *process, const struct thread *thread,
                                    const struct communicator_labels *labels);
/* As describe_call(). */
struct open_call describe_open_calls(const struct process *process, const struct thread *thread,
                                     const struct communicator_labels *labels);
struct open_call describe_open_operation(const struct operation *operation, const struct communicator *communicator,
                                         const struct communicator_labels *labels);
/* Whether that has the same text for both on one communicator, if it leaves the peers of both open. */
bool operations_read_alike(const struct operation *left, const struct operation *right);

/* -- describe_failed_call.c --
 * Calls that MPI has failed in words.
 */

/* "MPI_Recv(1000 x MPI_INT (4000 bytes) <- 0, tag 3, MPI_COMM_WORLD)", "MPI_Bcast(root 2, call 4 on MPI_COMM_WORLD)":
 * the arguments as given, right or wrong; "MPI_Finalize" where none are known. */
const char *describe_failed_call(const struct failed_call *call, const struct communicator_labels *labels);

/* MPI's text for the error in one line, without its description of the call: "Invalid tag, value is -5"; "": none. */
const char *describe_failure(const struct failed_call *call);

/* "has got MPI_ERR_TAG from MPI_Send(...), 3 times: Invalid tag, value is -5". */
const char *describe_returned_failure(const struct failed_call *call, const struct communicator_labels *labels);

/* -- describe_object.c --
 * Requests and objects in words.
 */

/* "collective", "one-sided"; of the class of an operation. */
const char *describe_class(uint32_t operation_class);
/* "exclusive", "shared"; of enum mpilens_lock_type. */
const char *describe_lock(uint32_t lock_type);
/* "pending", "complete", "inactive", "released". */
const char *describe_request_status(const struct operation *request);
/* "window \"halo\"", "file \"out.dat\"", "window #1 of MPI_COMM_WORLD". */
const char *describe_object(const struct process *process, uint32_t kind, uint32_t serial,
                            const struct communicator_labels *labels);
/* "call 3 on MPI_COMM_WORLD", "window \"halo\""; "" where there is none. */
const char *describe_request_place(const struct process *process, const struct operation *request,
                                   const struct communicator_labels *labels);
/* "MPI_Ibcast, root 0, call 3 on MPI_COMM_WORLD". */
const char *describe_request(const struct process *process, const struct operation *request,
                             const struct communicator_labels *labels);

/* -- describe_seen.c -- Observations of ranks without the runtime, in words.
 */

/* "MPI_Recv(count 16, tag 8)", "MPI_Recv(?)", "MPI_Recv(?), stopped", "not in MPI: sleeping in nanosleep". */
const char *describe_seen_thread(const struct seen_thread *thread);

/* The thread to be shown after number `after` of a process that lacks tables: each that is in MPI, or the main thread
 * where none is; -1: from the first on. -1: there is no more. */
int next_seen_thread(const struct process *process, int after);
/* Whether the stacks of the process tell something that its runtime does not. */
bool process_was_seen(const struct process *process);
/* Those processes of the ranks, as "ranks [0-3]"; NULL: there are none. */
const char *name_seen_ranks(const struct job *job, const struct rank_set *ranks);

/* How to start the job so that it has the runtime: "mpiexec -n 4 mpilens run ./app arguments". */
const char *describe_prepared_start(const struct job *job);
/* Advice how to let the runtime see the process: "next time, start it with '...'". */
const char *describe_preparation(const struct job *job);

/* -- outside.c -- The activity of a process whose threads are not in MPI, in words.
 */

/* For where its place stands elsewhere: "not in MPI", "not in MPI (finalizing)". */
const char *describe_outside_briefly(const struct process *process);
/* "not in MPI: computing in solve (solve.c:41)", "not in MPI: sleeping in flock, called by log (a.c:7)". */
const char *describe_outside(const struct process *process);
/* As above, for a process in any state: "has exited", "not read: no permission". */
const char *describe_without_call(const struct process *process);

/* -- peer_rule.c -- Rules for the peers of many ranks in the same call: each with the next one of a ring, with the
 * other one of a pair, along a dimension of a grid.
 */

enum peer_rule_kind {
    PEER_SAME,  /* the same peer */
    PEER_SHIFT, /* rank + shift */
    PEER_RING,  /* rank + shift, modulo the size of the communicator */
    PEER_PAIR,  /* rank exclusive-or shift */
    PEER_BLOCK, /* rank + shift, modulo `block`, within each block of that many ranks: along a dimension of a grid */
};

struct peer_rule {
    enum peer_rule_kind kind;
    int32_t shift;
    int32_t block;
    struct open_peer same; /* PEER_SAME */
};

/* Fewer ranks are no pattern. */
enum { LEAST_IN_PATTERN = 3 };

/* The rule that the most of the peers follow; *ret_count: how many do. Of several the simplest.
 * In O(count), times the number of divisors of the size. */
struct peer_rule peer_rule_find(const struct open_peer *peers, size_t count, size_t *ret_count);
bool peer_rule_fits(const struct peer_rule *rule, const struct open_peer *peer);
/* "rank+1 mod 64", "3 (world 7)". */
const char *describe_peer_rule(const struct peer_rule *rule);

/* -- unexpected_mode.c --
 * Why exact unexpected messages cannot be had of a process that was asked for them.
 */

/* NULL: they can, or it was not asked for them. */
const char *describe_inexact_reason(const struct process *process);

/* -- watch_character.c -- The call of a rank as one character, as in padb(1): for a line per moment with all ranks of a
 * job, and for the strip of ranks on the page.
 */

/* The meaning of each character, for people; lines with two blanks in front. */
extern const char watch_legend[];

/* `before`: the same process at the moment before; NULL: not known. */
char watch_character(const struct process *process, const struct process *before);
/* Its meaning, from the legend: "waits for a send"; "": it has none. */
const char *watch_character_meaning(char character);

#endif
