/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The jobs of this host, found in `/proc`.
 */
#ifndef MPILENS_INSPECT_DISCOVER_DISCOVER_H
#define MPILENS_INSPECT_DISCOVER_DISCOVER_H

#include "base/base.h"
#include "launch/launch.h"
#include "model/model.h"
#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* -- discovery.c --
 * The MPI jobs of this host, found in /proc without the help of a launcher: a rank is a process that a launcher has
 * numbered in its environment, or that has the runtime of mpilens mapped; a job is what one launcher has started.
 */

struct found_rank {
    pid_t pid;
    int rank;               /* -1: not known */
    int size;               /* of MPI_COMM_WORLD, -1: not known */
    bool has_runtime;       /* of mpilens */
    bool has_mpi;           /* an MPI library is mapped */
    char state;             /* as in ps */
    const char *executable; /* NULL: not known */
    pid_t launcher_pid;     /* the outermost of the launchers directly above each other, 0: none */
    const char *world; /* tells MPI_COMM_WORLDs of one launcher apart; NULL: it has one, or they are not numbered */
    bool is_spawned;   /* by MPI_Comm_spawn */
};

/* A rank of a job in which there is no MPI so far: a script, or a program that loads it later. */
struct numbered_process {
    pid_t pid;
    int rank;
};

struct found_job {
    pid_t launcher_pid;       /* 0: none, a single process */
    const char *launcher;     /* name of its program */
    int size;                 /* -1: not known */
    bool is_spawned;          /* by ranks of another job of the launcher */
    bool has_runtime;         /* at least one rank has */
    struct found_rank *ranks; /* by rank */
    size_t rank_count;
    struct numbered_process *without_mpi; /* by rank: of ranks that are not above, the outermost process */
    size_t without_mpi_count;
    pid_t *ended; /* its launchers' children here that have ended, or are ending, by pid */
    size_t ended_count;
    bool has_others; /* they have started processes that are not known to be ranks */
};

struct found_jobs {
    struct found_job *items; /* by launcher, or by pid of the only rank; those that were spawned after the others */
    size_t count;
    pid_t launcher; /* one that no other launcher is above, and that may have ranks, here or elsewhere; 0: none */
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

/* -- found_jobs.c --
 * Lists of jobs that were found.
 */

/* Whether both are of the same MPI_COMM_WORLD of the same launcher. */
bool is_same_world(const struct found_rank *left, const struct found_rank *right);

/* A process of it whose pid stands for the job: the launcher, but of several worlds of one launcher only for one. */
pid_t found_job_pid(const struct found_job *job);
/* Moves the ranks of the other one into the job; of the other one nothing is left. */
void found_job_join(struct found_job *job, struct found_job *other);

/* For discovery.c only: derives the facts of each job from its ranks, and sorts everything. */
void found_jobs_finish(struct found_jobs *jobs);

/* -- launch_check.c --
 * Launchers of one MPI with programs of another: each process then is a job of its own.
 */

/* Whether the launcher above this process has started several ranks of such a program, and does not know its MPI; then
 * a sentence, which the caller frees. NULL: it knows it, or that cannot be said. */
char *check_own_launcher(const struct program *program);

/* As check_own_launcher, for a job that was found and read: the launcher has numbered several processes, and each is
 * alone in its MPI_COMM_WORLD. */
char *check_launcher_of(const struct found_job *found, const struct job *job);

/* Says on standard error what is wrong with the launch of the job, if anything. */
void say_launch_problem(const struct job *job);

/* -- launched_beside.c -- Other processes that the launchers of a job have started on this host: some may still become
 * ranks, others have been ranks.
 */

/* Fills without_mpi, ended and has_others of jobs that have their ranks, in order. */
void launched_beside_find(const char *proc, struct found_jobs *jobs);

/* -- launcher_identity.c --
 * The identity of the job of a process without the runtime, which else notes it, and of one that is not here.
 */

/* The identity that the runtime would have noted for a rank with this pid (runtime/mpi/job_identity.c): "hydra
 * n1:37041 0", "slurm 4711.0". The caller frees it; NULL: not known. `proc` is "/proc" but in tests. */
char *launcher_identity_of(const char *proc, pid_t pid);
/* As launcher_identity_of, for the first job of a launcher on this host, whose ranks may all run elsewhere: from the
 * command lines of its daemons of Hydra or ORTE, or of the ssh that started them. */
char *launcher_identity_below(const char *proc, pid_t launcher);

/* -- launcher_names.c --
 * Programs that start ranks, by their names.
 */

/* Whether programs of this name, as the kernel cuts it, start ranks. */
bool is_launcher(const char *name);
/* Whether they start ranks on their own host only, for a launcher that has started them. */
bool is_host_daemon(const char *name);

/* -- launcher_numbers.c --
 * The numbers that launchers give to ranks, in their environment.
 */

struct launcher_numbers {
    int rank; /* in MPI_COMM_WORLD; -1: not known */
    int size; /* -1: not known */
};

/* Out of an environment as /proc has it. `has_mpi`: the process is known to have MPI; Slurm numbers all that it starts.
 */
struct launcher_numbers launcher_numbers_of(const char *environment, size_t bytes, bool has_mpi);

/* -- launcher_table.c -- A launcher's table of its processes, on all hosts: MPIR_proctable (The MPIR Process
 * Acquisition Interface, version 1.1, section 6). Launchers that nobody debugs may leave it empty.
 */

struct launched_process {
    const char *host;       /* as the launcher calls it */
    const char *executable; /* as the launcher calls it */
    pid_t pid;              /* on that host */
};

struct launcher_table {
    struct launched_process *items; /* by rank in MPI_COMM_WORLD */
    size_t count;
};

/* False: the launcher has no table, an empty one, or one that makes no sense. */
bool launcher_table_read(struct target *launcher, struct launcher_table *ret_table);
/* As launcher_table_read, for the process with this pid on this host; also false if it cannot be read. */
bool launcher_table_of(pid_t launcher, struct launcher_table *ret_table);
/* The job of Slurm in which srun with this pid on this host has started its step, as it tells debuggers
 * (totalview_jobid). NULL: the process says none, and is probably no srun. */
const char *launcher_job_of(pid_t launcher);

/* Whether both are names of one host, one of them perhaps with its domain. */
bool is_same_host(const char *left, const char *right);
/* Whether the host that this runs on has that name. */
bool is_this_host(const char *name);

/* -- launcher_reason.c --
 * A launcher that has no rank on this host: where its ranks are.
 */

/* Explains why nothing can be read below the launcher, with advice. `table`: the launcher's table, NULL: none. `host`
 * is this one. */
int launcher_reason(pid_t launcher, const char *name, const struct launcher_table *table, const char *host,
                    struct reason *ret_reason);

/* As launcher_reason, for a process of this host; reads its table. */
int launcher_reason_of(pid_t launcher, const char *name, struct reason *ret_reason);

/* -- looked_at.c -- Remembers the findings in this host's processes. A command looks for jobs several times within a
 * moment, hosts have many processes, and the mappings of each are long: no process is examined again within
 * LOOKED_AT_S. Any thread may call.
 */

/* A process that changes without a new name is noticed this much later at most. */
#define LOOKED_AT_S 1.0

/* `rank`, which is copied: the findings in the process; NULL: it belongs to no job. `now_s`: from monotonic_s(). Notes
 * nothing without memory. */
void looked_at_note(const struct process_status *status, const struct found_rank *rank, double now_s);
/* The note for this name, parent and user; false: none. *ret_rank dates from the note and is the caller's to clear;
 * with pid 0 the process belongs to no job. */
bool looked_at_find(const struct process_status *status, double now_s, struct found_rank *ret_rank);
/* Whether anything was. */
bool looked_at_has(const struct process_status *status, double now_s);
void looked_at_forget(void);

#endif
