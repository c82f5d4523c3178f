/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI jobs of this host, found in /proc without the help of a launcher: a rank is a process that a launcher has
 * numbered in its environment, or that has the runtime of mpilens mapped; a job is what one launcher has started.
 */
#ifndef INSPECT_DISCOVERY_H
#define INSPECT_DISCOVERY_H

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
    pid_t world;        /* tells MPI_COMM_WORLDs of one launcher apart */
};

struct found_job {
    pid_t launcher_pid;       /* 0: none, a single process */
    char *launcher;           /* name of its program */
    int size;                 /* -1: not known */
    bool has_runtime;         /* at least one rank has */
    struct found_rank *ranks; /* by rank */
    size_t rank_count;
};

struct found_jobs {
    struct found_job *items; /* by launcher, or by pid of the only rank */
    size_t count;
};

/* All jobs of `user`, of everybody with ANY_USER. Processes that must not be read are not found. `proc` is "/proc" but
 * in tests. */
#define ANY_USER ((uid_t)-1)
struct found_jobs discover_jobs(const char *proc, uid_t user);
/* The job that has this process as a rank or as one of the launchers above its ranks; NULL: none. */
const struct found_job *find_job_of(const struct found_jobs *jobs, const char *proc, pid_t pid);
void found_jobs_clear(struct found_jobs *jobs);

#endif
