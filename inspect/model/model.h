/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job in memory: filled once, then read.
 */
#ifndef MPILENS_INSPECT_MODEL_MODEL_H
#define MPILENS_INSPECT_MODEL_MODEL_H

#include "base/base.h"
#include "kernel/kernel.h"
#include "mpilens/extension.h"
#include "mpilens/layout.h"
#include "mpilens/message_queue.h"
#include "target/target.h"
#include "text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_index;
struct target;

/* -- group.c -- Groups of processes as ranks of MPI_COMM_WORLD, in ranges with stride: regular groups are small
 * whatever their number of members. Equal groups of a job are stored once, so they have the same address.
 */

/* Larger world sizes are treated as corrupt. */
enum { MOST_RANKS = 1 << 24 };

struct group_range {
    int32_t first; /* world rank, the next are first + stride, ...; -1: of another world, not known */
    int32_t stride;
    int32_t count;
    int32_t local; /* rank in the group of the first */
};

struct group {
    int32_t size;
    size_t range_count;
    struct group_range *ranges; /* by local rank; equal groups have equal ranges */
    struct group_range *lookup; /* by world rank, without what is not known; no two overlap */
    size_t lookup_count;
};

/* Zero-initialised is empty. */
struct group_pool {
    struct arena arena;      /* with all groups: its end is the pool's */
    struct arena_node *root; /* struct group */
};

/* The group with these members in the order of their ranks; negative: not known. Valid as long as its arena.
 * NULL: more than MOST_RANKS members. */
const struct group *group_pool_add_ranks(struct group_pool *pool, const int *world_ranks, size_t count);
/* As group_pool_add_ranks, for ranges. NULL: more than INT32_MAX members, more than MOST_RANKS known ones, a negative
 * count, or impossible world ranks. */
const struct group *group_pool_add_ranges(struct group_pool *pool, const struct mpilens_rank_range *ranges,
                                          size_t count);

/* World rank of the member `local`; -1: not known, or there is no such member. Of NULL, nothing is known. */
int32_t group_world_rank(const struct group *group, int32_t local);
/* Rank in the group of the world rank; -1: not a member, as far as known. Of several (a broken group): any of them. */
int32_t group_local_rank(const struct group *group, int32_t world);

/* -- model.def -- A job in memory. A collector fills it once from the processes of the job; verbs and renderers only
 * read it. All of it belongs to its struct job. Text without another owner stands in job.names.
 */

enum process_state {
    PROCESS_UNREADABLE, /* see `reason` */
    PROCESS_INITIALIZING,
    PROCESS_RUNNING,
    PROCESS_FINALIZING,
    PROCESS_FINALIZED,
    PROCESS_EXITED,
};

/* How the program in a process has ended, or is about to, that is still there. */
enum program_end {
    PROGRAM_RUNS,   /* as far as is known */
    PROGRAM_ENDS,   /* well, or it is not known why */
    PROGRAM_FAILED, /* of an exception that nothing has caught */
};

enum process_activity {
    ACTIVITY_UNKNOWN, /* as of cores */
    ACTIVITY_COMPUTING,
    ACTIVITY_SLEEPING,
    ACTIVITY_STOPPED, /* by a signal or a debugger */
    ACTIVITY_ENDED,
};

enum stack_line_kind {
    STACK_LINE_PROGRAM, /* a function of the program, or of a library that is no part of the system */
    STACK_LINE_LIBRARY, /* functions of the system that call each other */
    STACK_LINE_MPI,     /* functions of the MPI library and the runtime that call each other */
    STACK_LINE_KINDS,
};

struct operations {
    struct operation *items;
    size_t count;
};

/* Zero-initialised is empty. */
struct operation_details_pool {
    struct arena arena;                   /* with all details: its end is the pool's */
    struct arena_node *root;              /* struct operation_details */
    const struct operation_details *last; /* the details asked for last; mostly also the next operation's */
};

/* One of the readings that a job was put together from, such as the snapshot of one host. Texts stand in job.names. */
struct job_part {
    const char *name;     /* the file, or "the processes of this host" */
    const char *identity; /* of the job, as below; "": not known */
    const char *mpi;      /* of the job, as below; "": not known */
    const char *runtime_version;
    int size;      /* of MPI_COMM_WORLD, -1: not known */
    size_t ranks;  /* that were read in it and count */
    int samples;   /* how often it was read */
    int64_t taken; /* seconds since 1970, by the clock of its host; 0: it is not saved */
    bool is_saved; /* read out of a snapshot */
};

/* clang-format off */
#define KIND(kind, answer)                   struct kind {
#define OWN_KIND(kind)                       struct kind {
#define NUMBER(kind, type, member, json)     type member;
#define TRUTH(kind, member, json)            bool member;
#define TEXT(kind, member, json)             const char *member;
#define ID(kind, of, json)                   uint64_t of##_id;
#define PEER(kind, peer, json)               int32_t peer##_local; int32_t peer##_world;
#define SITE(kind, place, json)              uint64_t place##_address; const struct site *place; /* NOLINT(bugprone-macro-parentheses): a declaration */
#define AGE(kind, member, from, json)        double member;
#define KEPT(kind, type, member, json)       type member;
#define LIMITED(kind, type, member, last, json) type member;
#define UNSAVED(kind, type, member, json)    type member;
#define ROWS(kind, row, rows, count, json)   struct row *rows; size_t count;
#define NUMBERS(kind, numbers, count)        uint64_t *numbers; size_t count;
#define QUEUE(kind, queue)                   struct operations queue;
#define ONE(kind, of, member)                struct of *member;
#define SHARED(kind, member, of, members)    const struct of *member;
#define END(kind)                            };
#define OWN_END(kind)                        };
#include "model/model.def"
/* clang-format on */

/* The one flag of MPILENS_OPERATION_* that tells the class. */
static inline uint32_t operation_class(const struct operation *operation)
{
    return operation->flags & (MPILENS_OPERATION_MESSAGE_CLASSES | MPILENS_OPERATION_OTHER_CLASSES);
}

static inline bool operation_is_active(const struct operation *operation)
{
    return operation->state != MPILENS_OPERATION_PERSISTENT;
}

static inline bool operation_is_persistent(const struct operation *operation)
{
    return !operation_is_active(operation) || (operation->flags & MPILENS_OPERATION_FROM_PERSISTENT) != 0;
}

/* -- operation_details.c --
 * Stores what operations have the same once.
 */

/* The pool's copy, valid until the pool is cleared; the same for the same texts, places and numbers. Texts and places
 * last as long as the pool, and are the same where they have the same address. */
const struct operation_details *operation_details_share(struct operation_details_pool *pool,
                                                        const struct operation_details *details);

/* -- model.c --
 * Finds and gives back what a job has.
 */

/* Short form of what MPI_Get_library_version says: "MPICH 4.0.2". The caller frees it; NULL: nothing was recognised. */
char *short_library_version(const char *library_version);

/* The function of a call without regard to whether its counts are large: MPI_Bcast of MPI_Bcast_c. `small_count`: as
 * of a collective call. */
const char *function_of_any_count(const char *function, const char *small_count);

/* How many calls that was, as far as those that free count. */
uint64_t freed_object_calls(const struct freed_object *object, bool with_freeing);

/* A window or file that the process has freed: only the calls made on it count, for those that still have it. */
bool object_is_left(const struct object *object);
void window_destroy(struct window *window); /* NULL is fine */

/* NULL: it was not read. */
const struct call_stack *find_call_stack(const struct process *process, uint32_t tid);
void process_clear_call_stacks(struct process *process);
void process_clear_kernel_facts(struct process *process);

/* The collective call that the thread is in, on its communicator, or on its window or file (then *ret_object); NULL:
 * none, or not known. */
const struct collective_call *find_current_collective(const struct process *process, const struct thread *thread,
                                                      const struct object **ret_object);
/* Messages that the process has received there, in all. */
uint64_t count_received(const struct communicator *communicator);
/* Messages under way to the process that it has not received. */
uint64_t count_unreceived(const struct communicator *communicator);
/* The polls that a thread makes in turn, from 0 to other_poll_count: itself, then the others. */
const struct thread *find_poll(const struct thread *thread, size_t number);
/* The first of this rank; NULL: the job has none. */
const struct process *find_process(const struct job *job, int rank);
/* Whether it was read just now, here or on its host, and not out of a snapshot that somebody has kept. */
bool process_is_read_now(const struct job *job, const struct process *process);
/* By how much ages of a process get larger when they are until the moment of the other one: cores, and parts of a job,
 * are of different moments. 0: of the same, or not known. */
double process_ages_delay_s(const struct process *process, const struct process *until);
/* Whether one of `count` processes, by rank, has the rank. */
bool process_list_has_rank(const struct process *const *processes, size_t count, int rank);

/* Whether it is known of threads that have stalled that they did so, not only seen once. */
bool job_was_watched(const struct job *job);

/* By rank, then by pid. */
void job_sort_processes(struct job *job);

/* Moves what names, groups, details and places are kept in, of which `to` has none. */
void job_move_pools(struct job *from, struct job *to);
/* Gives back threads, communicators, requests and objects. */
void process_clear_contents(struct process *process);
/* And all else that is the process's own. */
void process_clear(struct process *process);
void job_clear(struct job *job);
/* Takes the note. */
void job_add_note(struct job *job, char *note);

/* -- library_site.c --
 * The place of a call that a library has made, as the user of that library knows it.
 */

/* Whether a library has called there; NULL is fine. */
bool site_is_of_library(const struct site *site);

/* The place of the thread's call of MPI: the line of the program, and as `called` the outermost function of the
 * libraries, which that line has called. NULL: the program itself calls MPI there, or its stack is not known. */
const struct site *find_library_site(struct site_cache *cache, const struct process *process,
                                     const struct thread *thread);

/* -- lost_records.c -- Counts of operations and objects that the runtime of a process did not record because it reached
 * its memory limit. From then on the lists of the process are incomplete and its counts too low.
 */

/* Whether it has sent, received or made what it has no record of. */
bool process_has_lost_records(const struct process *process);

/* How much that is. */
uint64_t count_lost_records(const struct process *process);

/* Which ranks have, as one sentence; NULL: none. */
const char *describe_lost_records(const struct job *job);

/* -- process_index.c --
 * Finds records of a process by number.
 */

/* Looks up in O(log n) from now on; until then, and after process_clear_index(), what is there is searched from end to
 * end. Communicators, their queues, requests and objects may no longer be added, removed or moved. Does not change what
 * the pointers in the index point to. */
void process_make_index(struct process *process);
void process_clear_index(struct process *process);

/* NULL: the process is not a member, or it has no such operation among those that are not over. */
const struct communicator *find_communicator(const struct process *process, uint64_t id);
const struct operation *find_operation(const struct process *process, uint64_t serial,
                                       const struct communicator **ret_communicator);
const struct operation *find_request(const struct process *process, uint64_t serial);
/* The remains of an object that the process has freed; NULL: not freed, or forgotten. */
const struct freed_object *find_freed_object(const struct process *process, uint32_t kind, uint64_t id);
const struct object *find_object(const struct process *process, uint32_t kind, uint32_t serial);

/* -- resolve_sites.c --
 * From addresses in the model to places in the source.
 */

/* Looks up the places of all calls and of all operations that are not over. */
void job_resolve_sites(struct job *job);
/* If libraries make the calls, and the stacks are known: looks up the places where the program calls these
 * libraries. */
void job_resolve_library_sites(struct job *job);
/* Looks up the places of completed operations. */
void job_resolve_completed_sites(struct job *job);
void window_resolve_sites(struct window *window, struct site_cache *cache, struct target *target);

#endif
