/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of communicators, and their n-th collective call: which of them have begun it and whether they mean the same
 * by it.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_CALLS_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_CALLS_H

#include "base/base.h"
#include "model/model.h"

/* -- blocked.c --
 * Threads and processes that can do nothing until others do something.
 */

/* Whether the process has ended or will send nothing any more: it is in MPI_Finalize or beyond, or gone. */
bool process_is_gone(const struct process *process);
/* Whether it could be read, and none of its threads has been in MPI while it was looked at: its MPI library makes no
 * progress then, if it has no thread of its own for that. */
bool process_is_outside_mpi(const struct process *process);
/* Whether one of its threads may call MPI next, or that is not known. */
bool process_can_act(const struct process *process);
/* The thread that is in MPI_Finalize, MPI_Recv, ... as long as the job was watched. */
bool thread_is_blocked(const struct thread *thread);
/* Whether it is not in MPI, or only for the moment, and may call MPI next. */
bool thread_may_act(const struct thread *thread);
/* Whether it makes several polls in turn. */
bool thread_polls_in_turn(const struct thread *thread);

/* -- job_index.c --
 * Finds the processes of a job and the members of its communicators, windows and files.
 */

/* A process as a member of a communicator, or of a window or file. */
struct job_member {
    const struct process *process;
    const struct communicator *communicator; /* of a window or file: that it was made from; NULL: not known */
    const struct object *object;             /* window or file; NULL: member of the communicator */
};

struct job_members {
    const struct job_member *items; /* by world rank */
    size_t count;
};

struct job_index {
    const struct job *job;
    struct job_member *members; /* by id of the communicator, then by world rank */
    size_t member_count;
    struct job_member *object_members; /* by kind and id of the window or file, then by world rank */
    size_t object_member_count;
};

#define NO_PROCESS UINT32_MAX

/* `job`: its processes are sorted by rank (job_sort_processes). */
struct job_index job_index_create(const struct job *job);

/* The number of the process of this world rank in the job; NO_PROCESS: there is none. */
uint32_t job_index_find_rank(const struct job_index *index, int rank);
const struct process *job_index_process(const struct job_index *index, int rank); /* NULL: there is none */
/* The processes read that are members of the communicator, of both groups of an intercommunicator. */
struct job_members job_index_members(const struct job_index *index, uint64_t communicator_id);

/* The processes read that have the same window or file; none where its id is not known. */
struct job_members job_index_object_members(const struct job_index *index, const struct object *object);
/* The id of a window or file; 0: not known, or something else. */
uint64_t shared_object_id(const struct object *object);

/* The member with this world rank; NULL: there is none. */
const struct job_member *job_members_find(const struct job_members *members, int rank);

/* -- collective_round.c -- The n-th collective call on a communicator, window or file, at all of its members: the
 * members that have begun it, and whether all mean the same.
 *
 * MPI has collective calls of one communicator begun in the same order by all of its members, blocking and nonblocking
 * ones not matching each other (MPI 4.0, 6.1 and 6.12); so calls with the same ordinal belong together. Calls that make
 * communicators, windows and files count as well: they are collective. A window or file has an order of its own, as if
 * it had a communicator of its own.
 */

enum round_difference {
    ROUND_ALIKE,
    ROUND_OTHER_FUNCTION,
    ROUND_OTHER_ROOT,
    ROUND_OTHER_OP,
    ROUND_OTHER_ARGUMENTS, /* of a call that makes or changes an object */
    ROUND_OTHER_SIZE,      /* count times size of the datatype, where that must be the same */
    ROUND_OTHER_SIGNATURE, /* as many bytes, but of other types; or, of what is combined, another number of elements. A
                            * call may well end all the same: only where some have left it and wait for something else
                            * while others are still in it */
    ROUND_OTHER_AMOUNT,    /* a member gives another more or less than that one expects (round_amounts.c) */
    ROUND_OTHER_CLASS,     /* `one` is in it, as its n-th call of that class; `other` has made it long ago, but never so
                            * many of that class */
};

struct collective_round {
    uint64_t serial; /* from 1 */
    struct job_members members;
    enum round_difference difference;
    const struct job_member *one, *other; /* two members that differ; NULL: none do */
};

/* The round on the communicator, window or file that `one` is a member of; its process does not matter. */
struct collective_round collective_round_find(const struct job_index *index, const struct job_member *one,
                                              uint64_t serial);

/* The call that the member has begun as its n-th; NULL: it has not, or has forgotten it. */
const struct collective_call *collective_round_call(const struct job_member *member, uint64_t serial);
/* Whether all members are there and have begun it. */
bool collective_round_has_all(const struct collective_round *round);
/* Whether the call has ended at all that have begun it. */
bool collective_round_is_over(const struct collective_round *round);
/* How many calls the member has begun. */
uint64_t collective_round_count_begun(const struct job_member *member);
bool collective_round_has_begun(const struct job_member *member, uint64_t serial);
/* How many calls of that class the member has begun on its communicator. */
uint64_t collective_class_count(const struct job_member *member, int32_t collective_class);
/* Whether what the member has made as its `serial`-th call, and has forgotten, was no call of the class of which `one`
 * is in one as the same: all that it has made of that class are fewer. */
bool collective_round_was_of_other_class(const struct job_member *member, const struct job_member *one,
                                         uint64_t serial);

/* Whether what is noted of the call says anything about that, and it must be the same at all members. */
bool collective_call_tells(const struct job_member *member, const struct collective_call *call,
                           enum round_difference difference);
/* Whether the member must give the same as `one`. Arguments of a call on an intercommunicator must agree within each
 * group only. */
bool collective_members_must_agree(const struct job_member *one, const struct job_member *member,
                                   enum round_difference difference);
/* The world rank that a member of an intercommunicator gives as the root; -1: none, another one of its own group. */
int collective_named_root(const struct job_member *member, const struct collective_call *call);
/* Whether two calls differ in what `difference` says; of an intercommunicator, which side their members are on matters
 * to the root. */
bool collective_members_differ(const struct job_member *left, const struct collective_call *left_call,
                               const struct job_member *right, const struct collective_call *right_call,
                               enum round_difference difference);
/* As above, where that does not matter. */
bool collective_calls_differ(const struct collective_call *left, const struct collective_call *right,
                             enum round_difference difference);

/* Whether all members have begun the call, some have left it and wait for something else, and others stand still in it.
 */
bool collective_round_is_left_by_some(const struct collective_round *round);

/* Whether all that the members gave was compared, but for what must agree pair by pair: for counts see round_amounts.c,
 * for leaders and their tags leaders.c. `ret_has_arguments`: there is something to compare. */
bool collective_round_is_compared(const struct collective_round *round, bool *ret_has_arguments);

/* The members that a member waits for in a collective call, if they have not begun it. */
enum round_waiting {
    ROUND_WAITS_FOR_ALL,
    ROUND_WAITS_FOR_ROOT,        /* for the root, until that has begun; then for all */
    ROUND_WAITS_FOR_LOWER_RANKS, /* of scans, until those have begun; then for all: some MPIs do */
    ROUND_WAITS_FOR_NEIGHBOURS,  /* in a topology */
};
enum round_waiting collective_round_waiting(const struct communicator *communicator,
                                            const struct collective_call *call);

/* -- collective_history.c --
 * The collective calls of a communicator, window or file by number, members with the same calls together.
 */

struct history_group {
    struct ranks ranks; /* of the world */
    const struct job_member *first;
    uint64_t begun; /* calls, by each */
    bool is_odd;    /* the largest group made another call at the first difference, or the same at another place */
};

struct collective_history {
    struct job_members members;
    uint64_t *serials; /* ascending: of all calls that some member remembers */
    size_t count;
    struct history_group *groups; /* the largest, then those that are odd, then the others */
    size_t group_count;
    uint64_t last_alike; /* the last remembered call before the first difference; 0: none */
    /* The first call that is known to differ at some members, or to lie behind one that did, by the rules of findings;
     * 0: none does. One that some have not begun yet is no difference. */
    uint64_t first_difference;
};

/* `index` must last as long. */
struct collective_history collective_history_make(const struct job_index *index,
                                                  const struct communicator *communicator);

/* All communicators, windows and files that several processes have and that one of the chosen ranks is a member of:
 * those with a difference, then the others, in the order of the model. Those without a collective call are left out. */
struct collective_histories {
    struct collective_history *items;
    size_t count;
};
struct collective_histories collective_histories_make(const struct job_index *index, const struct rank_set *chosen);

/* -- counterpart.c --
 * Communicators that different ranks have in the same place of the program: as of the rows of a grid, each has its own.
 */

/* The communicator of the process that is this one, or the one that it has in the place of this one: made as its n-th,
 * too, in the same way, and as large, without a common member. NULL: it has none. */
const struct communicator *communicator_counterpart(const struct process *process, const struct communicator *like);

/* -- leaders.c --
 * The two sides of an intercommunicator that is being made. Each is a collective call on a communicator of its own; the
 * leaders meet in a third one, with a tag (MPI 4.1, section 7.6.2).
 */

enum leaders_state {
    LEADERS_UNKNOWN,
    LEADERS_APART,    /* the other one is not in such a call */
    LEADERS_DISAGREE, /* it is, but with another tag or communicator, or it looks for somebody else */
    LEADERS_MEET,
};

struct leaders {
    enum leaders_state state;
    const struct process *process; /* the leader of this side */
    const struct thread *thread;   /* in the call; its peer is the other leader */
    const struct process *other_process;
    const struct thread *other_thread; /* NULL: apart */
    struct job_member other;           /* as a member of the communicator of its side */
    uint64_t other_serial;             /* of its call on that */
};

/* The leaders of the side whose call the round is. */
struct leaders leaders_find(const struct job_index *index, const struct collective_round *round);

/* -- made_call.c --
 * The n-th collective call of one member, as far as its last calls and the marks of earlier ones tell.
 */

struct made_call {
    const char *function;
    const char *small_count; /* as of struct collective_call */
    const struct site *site; /* NULL: not known */
    int32_t root;            /* -1: none, or of another group */
    bool active;
};

/* False: it has not made it, or has forgotten it. */
bool made_call_find(const struct job_member *member, uint64_t serial, struct made_call *ret_made);
/* Whatever the size of their counts. */
bool made_calls_have_same_function(const struct made_call *left, const struct made_call *right);

/* -- out_of_step.c -- Members of a communicator whose collective calls went out of step with the other members'. That
 * need not hang at once: with one call more or less, the next calls may still fit for a while. Found by the last calls
 * and by the marks that the runtime keeps of earlier ones.
 */

struct out_of_step {
    const struct job_member *member; /* NULL: all keep step, as far as is known */
    uint64_t last_alike;             /* n-th call, the last known one that was as the others'; 0: none is known */
    uint64_t since;                  /* the first known one that was not */
    struct made_call own, usual;     /* that call, and what most others made as theirs */
    size_t others;                   /* that keep step */
};

/* The one member that most others differ from, the `first` ranks looked at first: of large communicators not all are.
 * A call from another place than the others' is in step as long as the same two places always go together, as where a
 * root has a place of its own. */
struct out_of_step out_of_step_find(const struct job_index *index, const struct communicator *communicator,
                                    const struct ranks *first);

/* For a job that goes on: reports only facts that chance does not bring about. The answer is the same at any time: it
 * uses calls whose marks stay for ever. */
struct out_of_step out_of_step_find_running(const struct job_index *index, const struct communicator *communicator);

/* -- root_sums.c -- Members of a communicator that once gave another root than the others, which need not hang at once.
 * Found by the sums of all roots, which must be equal at members that have begun as many calls: the runtime keeps the
 * present sum and some earlier ones.
 */

struct odd_root {
    const struct job_member *member;           /* NULL: all have given the same roots, as far as is known */
    uint64_t last_alike;                       /* the last call up to which their sums are known to be equal; 0: none */
    uint64_t since;                            /* the first one up to which they are known not to be */
    size_t others;                             /* that agree */
    const struct collective_call *own, *usual; /* call `since`, where it is the one; NULL: not known */
};

/* The one member that most others differ from, the `first` ranks looked at first: of large communicators not all are.
 */
struct odd_root root_sums_find(const struct job_index *index, const struct communicator *communicator,
                               const struct ranks *first);

/* -- round_amounts.c -- Compares the amounts that members of a collective call give each other, for calls with arrays
 * of counts: a member must give another exactly the amount that the other expects (MPI 4.1, sections 6.5 to 6.10).
 */

/* Two members one of which gives the other more or less than that expects. */
struct unequal_pair {
    const struct job_member *giver, *receiver; /* NULL: there is none */
    int64_t given, expected;                   /* bytes */
    size_t others;                             /* more such pairs */
};

/* Looks for an unequal pair in a round that is otherwise alike, and makes the round one of ROUND_OTHER_AMOUNT if the
 * pair does harm: more is given than expected, or nothing at all, or others have left the call. A member that left may
 * have changed its counts since: its counts are used only if they fit all others but one, and only after `patience_s`
 * in the call. */
struct unequal_pair round_amounts_compare(struct collective_round *round, double patience_s);

/* Whether all of them are in the call, and every amount of each was compared. */
bool round_amounts_are_compared(const struct collective_round *round);

/* -- round_classes.c -- Classes of members that made a collective call alike, to find the odd one out.
 */

/* Members that made the call alike. */
struct round_class {
    const struct collective_call *call; /* of the first of them */
    const struct job_member *first;     /* of them */
    struct ranks ranks;                 /* of the world */
    struct ranks against;               /* others of the round, whose forgotten call was not of this class */
    bool has_other_sites;               /* not all of them made it where the first did */
};

enum { MOST_ROUND_CLASSES = 16 };

struct round_classes {
    struct round_class items[MOST_ROUND_CLASSES]; /* the largest first, but for those against; then by the first rank */
    size_t count;
    struct ranks others;  /* came, but gave something unknown, or belong to no class */
    struct ranks missing; /* readable ranks that did not come */
    size_t size;          /* of all that belong to the round, whether they could be read or not */
    bool is_of_group;     /* the round is of one group of an intercommunicator, whose other group need not agree */
    double last_s;        /* since the last of them came; -1: not known */
};

/* `round` has a difference. */
struct round_classes round_classes_find(const struct collective_round *round);

/* Whether the first class is more than half of those that belong to the round: whoever comes yet, the others are the
 * odd ones out. Where all have come, it need only be larger than each other one. */
bool round_classes_have_usual(const struct round_classes *classes);
/* The last call before the round that all of its members made as the same function at the same place, of those that are
 * remembered; NULL: none is. */
const struct collective_call *round_last_shared(const struct collective_round *round);
/* Whether it is the same line of the program. */
bool is_same_place(const struct site *left, const struct site *right);
/* Whether no class has made the call at a place where another one has: these are different calls of the program. A
 * root that stands alone may well have a place of its own. */
bool round_classes_are_of_other_sites(const struct round_classes *classes);

#endif
