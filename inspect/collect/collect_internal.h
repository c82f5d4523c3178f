/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of collect/ only.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_INTERNAL_H
#define MPILENS_INSPECT_COLLECT_COLLECT_INTERNAL_H

#include "collect/collect.h"
#include "discover/discover.h"
#include "model/model.h"
#include "mpilens/message_queue.h"
#include "python/python.h"
#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>

/* -- model.def --
 * Copies of the DLL's answers: model_X gives a struct X, without members that the answer does not have.
 */

/* clang-format off */
#define KIND(kind, answer)                                                                                             \
    static inline struct kind model_##kind(const struct collection *collection,                                        \
                                           const struct mpilens_##answer##_information *told)                          \
    {                                                                                                                  \
        (void)collection;                                                                                              \
        return (struct kind){
#define OWN_KIND(kind)
#define NUMBER(kind, type, member, json)  .member = told->member,
#define TRUTH(kind, member, json)         .member = told->member != 0,
#define TEXT(kind, member, json)          .member = text_pool_add(collection->names, told->member),
#define ID(kind, of, json)                .of##_id = told->of##_id,
#define PEER(kind, peer, json)            .peer##_local = told->peer##_local, .peer##_world = told->peer##_world,
#define SITE(kind, place, json)           .place##_address = told->place,
#define AGE(kind, member, from, json)     .member = tick_clock_age(&collection->clock, told->from),
#define KEPT(...)
#define LIMITED(...)
#define UNSAVED(...)
#define ROWS(...)
#define NUMBERS(...)
#define QUEUE(...)
#define ONE(...)
#define SHARED(...)
#define END(kind)                         };}
#define OWN_END(kind)
#include "model/model.def"
/* clang-format on */

/* -- collect_neighbours.c --
 * From the DLL to the model: neighborhoods.
 */

/* In the order in which neighborhood collectives have them. The caller frees `ranks`. */
struct neighbours {
    int *ranks; /* ranks of MPI_COMM_WORLD, -1: not known, NO_NEIGHBOUR: a place beyond the end of a dimension */
    size_t count;
};

enum { NO_NEIGHBOUR = -2 };

/* The partners of the process in neighborhood collectives on the communicator, which is the DLL's current object. The
 * outputs come zero-initialised and stay so without a topology. */
void collect_neighbours(const struct collection *collection, struct communicator *communicator,
                        struct neighbours *ret_sources, struct neighbours *ret_destinations);

/* -- collect_amounts.c -- From the DLL to the model: the amounts that a process gives others in a collective call, and
 * expects of them.
 */

/* Where the calls are made. */
struct exchange {
    const struct communicator *communicator;
    struct neighbours sources, destinations; /* of its topology */
    size_t amounts_left;                     /* no more are read of this process */
};

/* Adds the amounts of the call that the DLL has delivered last, which `call` describes so far. In large communicators
 * only what is exchanged with the next ranks on both sides is read, which are the same pairs everywhere. */
void collect_amounts(const struct collection *collection, struct exchange *exchange, struct collective_call *call);

/* -- collect_collectives.c --
 * From the DLL to the model: collective calls.
 */

typedef int next_collective_function(mqs_process *, struct mpilens_collective_information *);
/* Appends the collective calls that `next` lists. `exchange` belongs to their communicator; NULL: calls on a window or
 * file. Returns mqs_ok, or a code of the DLL. */
int collect_collectives(const struct collection *collection, next_collective_function *next, struct exchange *exchange,
                        struct collective_call **calls, size_t *count);

/* -- collect_communicators.c --
 * From the DLL to the model: communicators and their queues.
 */

/* The communicators of the process. Returns mqs_ok, or a code of the DLL; data read until then stays in the model. */
int collect_communicators(const struct collection *collection, struct process *process);

/* -- collect_failed_calls.c --
 * Reads the calls that MPI has failed.
 */

/* Fills in the process. mqs_ok or a code of the DLL. */
int collect_failed_calls(const struct collection *collection, struct process *process);

/* -- collect_python.c -- The Python side of a process's threads, for their calls of MPI.
 */

/* Fills python_site and handling of the threads, and the process's end. The process may run: Python
 * was read before and after its threads; a line counts where it is the same. */
void collect_python(struct job *job, const struct python_stacks *before, const struct python_stacks *after,
                    struct process *process);

/* -- collect_threads.c --
 * From the DLL to the model: threads.
 */

/* The threads of the process. Returns mqs_ok, or a code of the DLL; data read until then stays in the model. */
int collect_threads(const struct collection *collection, struct process *process);

/* -- exited_ranks.c --
 * The black boxes of ranks that have exited while their job runs.
 */

/* Adds the exited ranks of a job that was found and read, and settles it again. */
void add_exited_ranks(const struct dll *dll, const struct found_job *found, const struct collect_plan *plan,
                      struct job *job);

/* -- job_processes.c --
 * The processes of a job on their way into the model.
 */

/* Whether only its identity is read: the process is not looked at again. */
bool process_is_read_once(const struct collect_plan *plan);
/* One that was added: fills it in, or its reason. */
void read_process(const struct dll *dll, struct job *job, struct process *process, const struct collect_plan *plan);

/* -- debugger_callbacks.c --
 * This command as a debugger: the callbacks of the message-queue interface over a target.
 */

struct mqs_image_ {
    struct target *target;
    mqs_image_info *information;
};

struct mqs_process_ {
    struct target *target;
    struct mqs_image_ image; /* one per process: which files are mapped differs */
    mqs_process_info *information;
};

extern const mqs_basic_callbacks debugger_basic_callbacks;

/* From now on the DLL may allocate `bytes` more than it has, plus memory that it frees. SIZE_MAX: no limit. */
void debugger_set_budget(size_t bytes);
/* Whether it got nothing since then. */
bool debugger_exceeded_budget(void);
/* The most that it had since then. */
size_t debugger_used_of_budget(void);

extern const mqs_image_callbacks debugger_image_callbacks;
extern const mqs_process_callbacks debugger_process_callbacks;

/* -- process_numbers.c --
 * The rank and the job of a process whose runtime does not say them.
 */

/* Fills in rank and size where they are not known, as far as the environment in the memory of its target tells them,
 * alive or as a core file. */
void process_find_numbers(struct process *process);
/* Fills in the identity of the job of a living one. */
void process_find_job(struct job *job, struct process *process);

/* -- unexpected.c --
 * Messages of one process of the job to another: which sends and receives match, and which messages are unexpected. The
 * DLL finds it, out of what the model has (mpilens_match_messages says how); so parts of other hosts and snapshots are
 * joined like processes of this host. Processes that could not be read take no part.
 */

/* Sets the matches of sends and receives (match_rank and the fields after it). Fills `unexpected` and
 * `unexpected_unknown` of all communicators, except where the process itself has reported its unexpected messages.
 * Entries are ordered by sender, then by the order of sends. */
void infer_unexpected(const struct dll *dll, struct job *job);

#endif
