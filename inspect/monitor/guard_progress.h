/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a job goes on, by what was read of it now and then: the rule by which `mpilens guard` ends a job.
 *
 * Progress in MPI is: a rank came or went, called another function of MPI, started or completed an operation, began a
 * collective call, made or freed something. A test or probe that finds nothing is none. Progress outside MPI is that a
 * thread that is not in MPI computes; a debugger at a rank, and a job that is suspended as a whole, count as that.
 *
 * Only time in which all ranks could run is time without progress: a rank that waits for a processor, or whose launcher
 * does, can make none.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_PROGRESS_H
#define MPILENS_INSPECT_MONITOR_GUARD_PROGRESS_H

#include "kernel/thread_state.h"
#include "model/model.h"

struct guard_thread {
    uint32_t tid;
    char kernel_state; /* as in ps; 0: not known */
    struct thread_times times;
};

/* What a process used of the processor and is doing; see guard_reading_add. */
struct guard_process {
    pid_t pid;
    char kernel_state;            /* as in ps, and T where its control group is frozen; 0: not known */
    bool is_outside;              /* none of its threads is in MPI */
    double cpu_time_s;            /* of all its threads; -1: not known */
    double outside_time_s;        /* of its threads that call MPI but are outside now; -1: not known */
    uint64_t outside;             /* which threads those are */
    struct guard_thread *threads; /* those that call MPI, and the main thread */
    size_t thread_count;
};

/* One reading of all jobs that are guarded together. Zero-initialised is empty. */
struct guard_reading {
    double at_s;     /* CLOCK_MONOTONIC */
    uint64_t digest; /* of all that progress in MPI changes */
    struct guard_process *processes;
    size_t process_count;           /* those that could be read */
    struct guard_thread *launchers; /* main threads of the launchers above them */
    size_t launcher_count;
};

/* Adds what was read of a job, at least as deep as COLLECT_SAMPLE, and the processor time of its processes. */
void guard_reading_add(struct guard_reading *reading, const struct job *job);
void guard_reading_clear(struct guard_reading *reading);

/* Whether the job has gone on from one reading to the next. */
bool guard_has_progressed(const struct guard_reading *before, const struct guard_reading *later);

/* For how much of the time between two readings, which have the same processes, all of them could run. */
double guard_runnable_time(const struct guard_reading *before, const struct guard_reading *later);
/* How long the job has stood still although it could run, when it did so for `quiet_s` at `before`. Of the time in
 * between, at most `most_s` counts: a guard that did not look for longer was suspended, and the job, too. */
double guard_quiet_time(double quiet_s, const struct guard_reading *before, const struct guard_reading *later,
                        double most_s);

#endif
