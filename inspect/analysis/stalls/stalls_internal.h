/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of analysis/stalls/ only.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_STALLS_INTERNAL_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_STALLS_INTERNAL_H

#include "analysis/findings/findings.h"
#include "analysis/graph/graph.h"
#include "analysis/stalls/stalls.h"
#include "base/base.h"
#include "model/model.h"

#include <stdio.h>

/* -- library_meeting.c --
 * Calls in which everything has been done that programs have to do, so that the MPI library has its turn.
 */

/* Whether the blocked thread of the subject is in a blocking call in which the library may keep it, and in no function
 * of the application that MPI has called, as far as its stack tells. */
bool library_may_keep(const struct waits *waits, const struct wait_subject *subject);

/* Whether nothing is missing at the node: all members of a communicator or window have come to one collective call and
 * mean the same by it; all processes are in MPI_Finalize; the messages of a thread have met their partners; or all
 * processes whose memory its epoch accesses have exposed it. Adds the ranks that take part and must be in MPI for the
 * library to go on. False for calls that work on files or run an operation of the application: these may take any
 * time. */
bool library_meeting_at(const struct waits *waits, const struct wait_subject *subject, struct ranks *needed);

/* Whether the stack of the thread, which is in MPI, was read. */
bool library_stack_is_known(const struct process *process, const struct thread *thread);

/* -- library_waits.c -- Blocked threads that need nothing more of any program: all ranks have done their part, and the
 * MPI library alone must let them go on.
 */

struct library_wait {
    uint32_t node;        /* of the thread */
    uint32_t meeting;     /* the node of the collective call, or of MPI_Finalize, that all have come to; NO_NODE: its
                           * messages have met their partners */
    struct ranks *needed; /* processes that take part, this one among them; shared by those with the same meeting */
};

struct library_waits {
    struct library_wait *items; /* by meeting, waits for messages last; then in the order of nodes */
    size_t count;
};

/* Finds all of them: every rank that takes part is also blocked in MPI, in blocking calls, not in a function of the
 * application that MPI has called, and needs nothing of any other rank. Unknown waits do not count. */
struct library_waits library_waits_find(const struct waits *waits);

/* -- seen_start_up.c --
 * Ranks without the runtime that are in MPI_Init, and what they wait for there.
 */

/* Whether ranks without the runtime are in MPI_Init or the like, and none is in any other function of MPI. */
bool seen_start_up_is(const struct job *job);

/* "; rank 1 has a socket in SYN_SENT with 172.17.0.2:1024": the ranks of which that is said are added to `ranks`, and
 * *ret_remedy is what to do about it. NULL: nothing of that kind is known of any. */
const char *seen_start_up_describe_cause(const struct job *job, struct ranks *ranks, const char **ret_remedy);

/* Adds, for a process in MPI_Init, the functions of the library that it is in, and its PMI server; else nothing. */
void seen_start_up_add_evidence(const struct process *process, struct finding *finding);

/* -- stalled_ranks.c --
 * Ranks that wait for the MPI library in the same call: for how long, and whether anything moves.
 */

struct stalled_ranks {
    uint32_t meeting;      /* as of a library_wait */
    struct ranks waiting;  /* the waiting ranks */
    struct ranks involved; /* the ranks that take part, including the waiting ones */
    double age_s;     /* since the last of those that take part has entered the call that it is in; -1: not known */
    bool is_known;    /* whether each of these was looked at twice, and its stack read; or all is out of core files */
    double watched_s; /* how long they were looked at; 0: once */
    uint64_t moved_bytes; /* that have come or were acknowledged meanwhile, on their connections */
    uint64_t file_bytes;  /* that were read or written meanwhile */
    double least_share;   /* of a processor, that one of them got while it wanted to run; 1: none waited for one */
    bool copies;          /* one of them copies memory, or what they share changes */
    bool shares_memory;   /* the memory that they share was seen */
    double silent_s;      /* since anything came on one; -1: there is none, or not known */
    uint32_t connections; /* of TCP, all ranks together */
    bool has_devices;     /* of networks, whose traffic is not seen */
};

struct stalls {
    struct stalled_ranks *items; /* the longest first */
    size_t count;
};

struct stalls stalls_find(const struct waits *waits);

/* The reason why the process does not run at all: "is stopped by a signal"; NULL: none. */
const char *describe_standstill(const struct process *process);

/* -- stall_suspects.c --
 * Which of the ranks that stand still in a call differ from the others, and what the kernel and their stacks tell of
 * each.
 */

/* Ranks to look at first. Zero-initialised is none. */
struct stall_suspects {
    struct ranks ranks;
    const char *said; /* of the first of them: "is stopped by a signal", "has a socket in SYN_SENT with 10.0.0.3:41234",
                       * "sleeps in poll, while the others spin"; NULL: there is none */
    bool are_alike;   /* it is the same of all */
};

/* Those that something keeps from running, whose connections are broken or stand still, or that do something else than
 * the others. */
struct stall_suspects stall_find_suspects(const struct waits *waits, const struct stalled_ranks *stalled);

/* Adds the activity of each rank inside MPI: running or asleep, its sockets, its hindrance; ranks that differ first. */
void stall_add_evidence(const struct waits *waits, const struct stalled_ranks *stalled,
                        const struct stall_suspects *suspects, struct finding *finding);

/* -- stall_words.c -- The kernel's facts about a process that stands still, in words.
 * NULL: nothing of that kind to say.
 */

/* "is stopped by a signal", "is frozen by its control group", "sleeps in the kernel and cannot be interrupted". */
const char *describe_hindrance(const struct process *process);
/* "has a socket in SYN_SENT to 10.0.0.3:41234": one that is no whole connection. */
const char *describe_broken_socket(const struct process *process);
/* "has 4096 bytes for 10.0.0.3:41234 that are not acknowledged": of a connection whose other end does not answer. */
const char *describe_full_socket(const struct process *process);
/* "spins", "sleeps in poll", "runs now and then". */
const char *describe_running(const struct process *process);
/* "spin", "sleep in poll": describe_running for several ranks. Valid until the next call. */
const char *describe_others(const char *running);

/* All of that, and memory, processor time and devices, as evidence. The process has kernel facts. */
void add_kernel_evidence(const struct process *process, struct finding *finding);
/* Its server of PMI or PMIx, as evidence, where one is known: of ranks that start or end, which wait for it. */
void add_manager_evidence(const struct process *process, struct finding *finding);

/* -- start_up_cause.c -- The waits of a rank in MPI_Init for something other than a rank: a connection, a name, a
 * processor.
 */

enum start_up_cause_kind {
    START_UP_BRIDGE,     /* a connection over an interface that joins containers of one host */
    START_UP_CONNECTION, /* another connection */
    START_UP_NAME,       /* the address of a host */
    START_UP_STANDSTILL, /* it cannot run */
};

struct start_up_cause {
    enum start_up_cause_kind kind;
    const char
        *text; /* "has a socket in SYN_SENT with 172.17.0.2:1024 over docker0", "resolves a name, in getaddrinfo" */
};

/* Finds the cause of the thread with that number, which is in MPI_Init. False: nothing of that kind is known. */
bool start_up_cause_find(const struct process *process, uint32_t tid, struct start_up_cause *ret_cause);

/* "; rank 1 has a socket in SYN_SENT with ...": `ranks`, at least one, wait for something else than others, the first
 * of them for this. */
void start_up_cause_write(FILE *stream, const struct ranks *ranks, const struct start_up_cause *cause);

/* Advice against it. */
const char *start_up_cause_remedy(enum start_up_cause_kind kind);

#endif
