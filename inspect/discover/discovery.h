/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI jobs of this host, found in /proc without the help of a launcher: a rank is a process that a launcher has
 * numbered in its environment, or that has the runtime of mpilens mapped; a job is what one launcher has started.
 */
#ifndef MPILENS_INSPECT_DISCOVER_DISCOVERY_H
#define MPILENS_INSPECT_DISCOVER_DISCOVERY_H

#include "base/process_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct found_rank {
    pid_t pid;
    int rank;           /* -1: not known */
    int size;           /* of MPI_COMM_WORLD, -1: not known */
    bool has_runtime;   /* of mpilens */
    bool has_mpi;       /* an MPI library is mapped */
    char state;         /* as in ps */
    char *executable;   /* NULL: not known */
    pid_t launcher_pid; /* the outermost of the launchers directly above each other, 0: none */
    char *world;        /* tells MPI_COMM_WORLDs of one launcher apart; NULL: it has one, or they are not numbered */
    bool is_spawned;    /* by MPI_Comm_spawn */
};

/* A rank of a job in which there is no MPI so far: a script, or a program that loads it later. */
struct numbered_process {
    pid_t pid;
    int rank;
};

struct found_job {
    pid_t launcher_pid;       /* 0: none, a single process */
    char *launcher;           /* name of its program */
    int size;                 /* -1: not known */
    bool is_spawned;          /* by ranks of another job of the launcher */
    bool has_runtime;         /* at least one rank has */
    struct found_rank *ranks; /* by rank */
    size_t rank_count;
    struct numbered_process *without_mpi; /* by rank: of ranks that are not above, the outermost process */
    size_t without_mpi_count;
    pid_t *ended; /* what its launchers here have started and not waited for after its end, by pid */
    size_t ended_count;
    bool has_others; /* they have started processes that are not known to be ranks */
};

struct found_jobs {
    struct found_job *items; /* by launcher, or by pid of the only rank; those that were spawned after the others */
    size_t count;
    pid_t launcher; /* one that no other launcher is above, with or without ranks here; 0: there is none */
    struct found_rank *without_mpi; /* numbered by a launcher, without any MPI in them, of ranks and below them */
    size_t without_mpi_count;
    struct process_table processes; /* of everybody */
};

/* All jobs of `user`, of everybody with ANY_USER. Processes that must not be read are not found. `proc` is "/proc" but
 * in tests. */
#define ANY_USER ((uid_t)-1)
struct found_jobs discover_jobs(const char *proc, uid_t user);
/* Whether a process that was found with the runtime has it now: it may have called exec, or have ended. */
bool still_has_runtime(const char *proc, const struct found_rank *rank);
/* The job that has this process as a rank or above its ranks: a launcher (where it has started several worlds, the one
 * that was not spawned), or what has started that or a rank, where it has started no other job. NULL: none. */
const struct found_job *find_job_of(const struct found_jobs *jobs, pid_t pid);
/* A name that all ranks of one MPI_COMM_WORLD on this host have in common, and what their launcher starts directly, as
 * this process; no other world ever has it. The caller frees it; NULL: no launcher is above the process. */
char *name_local_world(const char *proc, pid_t pid);

#endif
