/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the model to findings: all that the rooms below find, and faults that are no wait; leaks.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_ANALYSIS_H
#define MPILENS_INSPECT_ANALYSIS_ANALYSIS_H

#include "analysis/findings/findings.h"
#include "analysis/graph/graph.h"
#include "base/base.h"
#include "model/model.h"
#include "target/target.h"

#include <stdbool.h>
#include <stdio.h>

/* -- analysis.c -- From a job that was read to its faults: the ranks that can never go on, and the causes.
 *
 * Threads that have stayed in one MPI call as long as the job was watched (struct thread.stalled) are taken for
 * blocked; all others, and processes that could not be read, may do anything. Every blocked thread has a condition on
 * other processes (and/or) that must come true before its call returns. A thread that no course of the others can
 * release is dead (wait_graph.c). The innermost groups of the dead, which wait for each other or for something that
 * will never come, are the causes; all others are consequences.
 *
 * A pure function of the model, in O(n log n) of its operations.
 */

/* Defaults: 60 s, 10000 messages. */
struct analysis_options analysis_default_options(void);

/* One blocked thread. */
struct rank_wait {
    const struct process *process;
    const struct thread *thread;
    bool dead;                   /* it can never go on */
    bool is_cause;               /* dead, and part of a cause, not only a consequence */
    enum wait_mode mode;         /* WAITS_FOR_ALL or WAITS_FOR_ANY of `targets`, WAITS_IN_VAIN, WAITS_FOR_NOTHING:
                                    not known what it waits for, or it will be released */
    const struct ranks *targets; /* the ranks that it waits for, shared by all that wait for the same; NULL: no rank of
                                    this job, or not known */
};

struct analysis {
    struct findings findings;
    size_t left_out;         /* findings that are not about the ranks to be shown */
    struct rank_wait *waits; /* by rank, then in the order of threads */
    size_t wait_count;
    struct arena texts; /* all that the members point to, too */
    const char
        *remark; /* one sentence for when nothing was found: the waiting and the awaited ranks. NULL: no rank waits */
};

void analyze(const struct job *job, const struct analysis_options *options, struct analysis *ret_analysis);
void analysis_clear(struct analysis *analysis);

/* -- other_worlds.c --
 * Waits for ranks of another MPI_COMM_WORLD of the same launcher.
 */

/* As analyze. Where that finds nothing, adds a finding for ranks that have waited for such ranks for longer than the
 * patience, if the other worlds were read (job.other_worlds): when one has a finding itself, is outside MPI for as
 * long, or waits for this one in turn. */
void analyze_with_other_worlds(const struct job *job, const struct analysis_options *options,
                               struct analysis *ret_analysis);

/* -- early_exits.c --
 * A process that has called exit(), and its last call.
 */

/* Whether its black box says that it did before MPI_Finalize, or with a status after it, and not for MPI. */
bool has_left_early(const struct process *process);

/* -- call_paths.c --
 * The call stacks that led the ranks of a finding into the MPI calls of its evidence.
 */

struct call_path {
    const char *text;   /* "global_sum (comm.c:7) < residual (solver.c:40) < cg (cg.c:11) < main (main.c:21)" */
    struct ranks ranks; /* that have come this way */
};

struct call_paths {
    struct call_path *items;
    size_t count;
    size_t left_out;
};

/* Those that say more than the place of the call: it stands in a function that another one has called. */
struct call_paths call_paths_of(const struct job *job, const struct finding *finding);

/* "sleep (libc.so.6) < work (a.c:7) < main (a.c:20)": the main thread of a process; NULL: not known. */
const char *describe_main_stack(const struct process *process);

/* -- crash.c --
 * Ranks that have crashed, as their core files say: the signal, the thread that it came for, its stack.
 */

/* Adds a finding for each: the place, and the calls of the other ranks. It comes before all others, but behind them
 * where MPI was ending the job for an error of that rank: libraries have crashed in their own abort. */
void findings_add_crashes(const struct job *job, struct findings *findings);

/* The sentence of each crash, a line each. */
void say_crashes(FILE *stream, const struct job *job);

/* -- findings_of_ranks.c -- Selects the findings about some ranks.
 */

/* Keeps the findings that a rank of the set is concerned by or to blame for, each with all of its evidence. Returns how
 * many findings were left out. */
size_t findings_keep_ranks(struct findings *findings, const struct rank_set *ranks);

/* -- leaks.c -- Objects that the ranks of a job have made and not freed, by the place where they made them.
 *
 * Live objects are normal while a job runs. They are a finding at ranks that are in MPI_Finalize or beyond, where
 * nobody can free them any more, and where a rank has more of one place than a limit.
 */

/* One rank's share. */
struct leak_rank {
    int rank;
    bool has_finalized;
    uint64_t count;
};

/* All objects of one kind that one call in the source has made. */
struct leak {
    uint32_t kind;           /* enum mpilens_object_kind, MPILENS_OBJECT_REQUEST too */
    bool is_released;        /* requests that MPI_Request_free was called for and that are not known to be complete */
    bool is_active;          /* requests under way at ranks that have not finalized: most likely no leak */
    const char *function;    /* that made them */
    const struct site *site; /* NULL: not known */
    uint64_t site_address;   /* in the first of the ranks */
    uint64_t count;          /* at all ranks: how often something must still be freed */
    double oldest_s;         /* -1: not known */
    struct leak_rank *ranks; /* by rank */
    size_t rank_count;
};

/* Most first, active requests last. Texts and sites are the job's. */
struct leaks {
    struct leak **items;
    size_t count;
};

/* Those of the ranks of the set. Predefined objects are none; neither is what the application has freed. */
struct leaks find_leaks(const struct job *job, const struct rank_set *ranks);
/* Joins leaks found rank by rank: every part is of one rank. Puts the parts in the order of ranks; texts and sites
 * keep their owners. */
struct leaks merge_leaks(struct leak *parts, size_t count);

/* Those that are findings; `limit`: live objects of one place that a rank may have while the job runs. */
struct findings judge_leaks(const struct leaks *leaks, uint64_t limit);

/* "communicators", "request", "released requests", "active requests". */
const char *describe_leak_kind(const struct leak *leak, uint64_t count);

#endif
