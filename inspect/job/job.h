/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From TARGET to a job; parts of a job; sampling; progress between samples.
 */
#ifndef MPILENS_INSPECT_JOB_JOB_H
#define MPILENS_INSPECT_JOB_JOB_H

#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "handle/handle.h"
#include "model/model.h"
#include "part/part.h"

#include <stdio.h>
#include <time.h>

struct process_reading;

/* -- box_directory.c --
 * Jobs in directories of black boxes, core files or snapshots.
 */

/* The targets to read instead of a directory. */
struct box_targets {
    char **targets; /* paths of black boxes, and pids of processes that are still alive */
    size_t count;
    const char *identity; /* of the job; "": not known */
    bool is_ended;        /* none is alive */
    time_t started;       /* of the last one */
};

bool box_directory_is(const char *target);

/* The processes of the job that was started last of those whose black boxes are in the directory. One pid stands for
 * all where all are alive. 0 and targets, or -1 and a reason. */
int box_directory_read(const char *path, struct box_targets *ret_targets, struct reason *ret_reason);

/* The core files and snapshots in the directory, as parts of one job. False: there are none. */
bool file_directory_read(const char *path, struct box_targets *ret_targets);

/* Which jobs without living processes are wanted. */
struct ended_choice {
    pid_t pid;            /* of a process of it; 0: any */
    const char *identity; /* NULL: any */
    size_t most;
};

/* Jobs in the places where 'mpilens run' keeps black boxes, the newest first. They are this user's; root also sees the
 * jobs of other users, where several jobs are wanted or none of its own was found. */
size_t ended_jobs_find(const struct ended_choice *choice, struct box_targets **ret_jobs);
/* Its identity, of the first one. NULL: there is none, or it is not known. */
const char *ended_job_identity(const struct ended_choice *choice);

/* -- crash_core.c --
 * The core file of a process that has crashed.
 */

struct crash_query {
    const char *directory;  /* in which the process ran; NULL: not known */
    const char *executable; /* NULL: not known */
    pid_t pid;
    time_t since;         /* the file is not older than this */
    int signal;           /* that has ended it; 0: not known */
    int tries_of_systemd; /* how often systemd-coredump is asked, which compresses large ones first */
};

struct crash_core {
    struct target *target;
    struct crash crash;
    char *how; /* to look into it: a command */
};

/* Finds it as core_pattern says, or asks systemd-coredump. False: there is none. */
bool crash_core_find(const struct crash_query *query, struct crash_core *ret_core);
void crash_core_clear(struct crash_core *core);

/* Finds the core files of processes that have ended and have not said how: struct process.crash_target. `since`: when
 * the job began. */
void job_find_crash_cores(struct job *job, time_t since);

/* -- crash_place.c -- Where a process has crashed.
 */

struct crash_place {
    const char *stack, *place; /* as struct process has them */
    const struct site *site;   /* in the cache */
};
struct crash_place crash_place_read(struct target *core, const struct crash *crash, struct site_cache *sites);
/* Fills in struct process.crash_signal, and what follows it, of each process whose core file says that it has crashed.
 */
void job_note_crashes(struct job *job);

/* -- handle_answer.c --
 * Asks the processes of a job all questions about handles, in one reading.
 */

/* To be the `more` of a collect_plan: asks one process. `questions` is a struct handle_questions. */
void handle_questions_ask(const struct collection *collection, const struct process *process, void *questions);
/* After the whole job was read: the places of the handles, which are sorted by rank, and the status of each question.
 */
void handle_questions_finish(struct handle_questions *questions, struct job *job);

/* -- job_identity.c --
 * Which processes are of one job by what their runtimes have noted of it (layout.def: job_identity).
 */

/* An identity as one word, which no shell takes apart: commas are in the place of blanks. The caller frees it. */
char *write_identity_word(const char *identity);
/* Whether a target is an identity, of several words or written as one; then it has blanks again. */
bool read_identity_word(char *target);

/* The ranks on this host of the job with this identity, as one job. False: there are none; *ret_unread is why some
 * could not be asked, empty: all were. */
bool find_job_with_identity(const struct dll *dll, struct found_jobs *jobs, const char *identity,
                            const struct found_job **ret_job, struct reason *ret_unread);

/* discover_jobs of /proc, where ranks that no launcher is above any more (it was killed, or they have left it) are put
 * together with those that have the same identity. */
struct found_jobs find_jobs(const struct dll *dll, uid_t user);

/* Joins the jobs without a launcher with the first job of the same identity: identities[i] belongs to jobs->items[i],
 * NULL: not known. */
void join_jobs(struct found_jobs *jobs, char *const *identities);

/* Whether these cannot be of one job. Not known ("") and launchers of different hosts never contradict. */
bool identities_differ(const char *left, const char *right);

/* Two processes of the job whose identities differ. False: there are none. */
bool find_strangers(const struct job *job, const struct process **ret_one, const struct process **ret_other);

/* -- job_parts.c --
 * Puts the parts of a job together: snapshots of its hosts, core files, live processes. Ranks are known by their number
 * in MPI_COMM_WORLD, never by their pid, which ranks of different hosts may share; clocks of hosts are not compared.
 */

/* Adds the processes of a part that was not completed, whose names, groups and places stand in the pools of `job`
 * already (zero-initialised but size -1 and those pools, when the first part comes). `name` is what sentences call it.
 * Takes the part, also where it fails. 0, or -1 and what it contradicts in which earlier part. */
int job_add_part(struct job *job, struct job *part, const char *name, struct reason *ret_reason);

/* When all parts were added: of each rank the process that counts stays. A process that was read counts before one that
 * was not; of several that were read, the newer one, which is noted. `is_one_moment`: there was a moment at which all
 * parts were as they were read. */
void job_settle_parts(struct job *job, bool is_one_moment);
/* How often the ranks of the job were read, at least. */
int job_least_samples(const struct job *job);
/* After that: as complete_job, with the samples of the parts. */
void complete_parts(const struct dll *dll, struct job *job, enum collect_depth depth);

/* -- named_job.c -- The kinds of TARGET, and jobs named by their programs.
 */

bool target_parse_pid(const char *target, pid_t *ret_pid);

/* The job whose program has this name, in any directory, where the word is neither a PID nor a file that can be read as
 * a job. 1 and a process that stands for it; 0: the word is left to read_job; or -1 and a reason: no job here has the
 * program, or (*ret_several) there are several. */
int named_job_find(const struct dll *dll, const char *word, pid_t *ret_pid, bool *ret_several,
                   struct reason *ret_reason);

/* A reason that asks for one of the jobs, and their list. */
void several_jobs_tell(const struct dll *dll, const struct found_job *const *jobs, size_t count,
                       struct reason *ret_reason);

/* -- part_job.c --
 * The job of which hosts have sent their parts, in one round or two.
 */

/* A host that has not answered. */
struct lost_host {
    const char *name;
    const char *reason; /* "No route to host" */
};

/* Zero-initialised, then begun. */
struct part_job {
    struct job rounds[MOST_ROUNDS];
    size_t parts[MOST_ROUNDS]; /* that were added */
    struct lost_host **lost;   /* in the order in which they were noted */
    size_t lost_count;
    struct arena_node *lost_by_name; /* of the same */
};

void part_job_begin(struct part_job *parts);
/* Adds a part, whose bytes it takes. A host whose part is damaged or is of another job becomes a lost one. */
void part_job_add(struct part_job *parts, const struct dll *dll, const struct collect_plan *plan,
                  struct received_part *received);
/* Adds all that have come whole since. */
void part_job_take(struct part_job *parts, const struct dll *dll, const struct collect_plan *plan,
                   struct part_reader *reader);
/* Notes that the host has not answered, as who asked it knows. The first reason counts. */
void part_job_lose_host(struct part_job *parts, const char *host, const char *reason);
/* NULL: it is not a lost one. */
const char *part_job_lost_reason(const struct part_job *parts, const char *host);
/* Notes all hosts of the reader that have begun to answer in the round, or in an earlier one, and are not whole. */
void part_job_lose_torn(struct part_job *parts, const struct part_reader *reader, int round);

/* Makes the job from the parts of round 2. A rank that was the same in round 1 stands still; the second round must
 * have begun when the first was over. `hosts`: the host of each rank, by rank, as far as known (a launcher's table;
 * NULL: nothing). Ranks of lost hosts are unread with the host's reason. EXIT_GOOD and a job to be cleared, or
 * EXIT_UNREADABLE: no rank was read, and the reason. The parts are cleared. */
int part_job_finish(struct part_job *parts, const struct dll *dll, enum collect_depth depth, const char *const *hosts,
                    size_t host_count, struct job *ret_job, struct reason *ret_reason);
void part_job_clear(struct part_job *parts);

/* -- read_job.c --
 * From what the user named (a pid of a rank or launcher, core files, snapshots, or nothing) to the model of a job.
 */

struct job_request {
    char **targets; /* pids, paths of core files and of snapshots; several snapshots are parts of one job; none: the
                     * only job of this user on this host, else the last one that has ended */
    size_t target_count;
    const char *identity; /* of the job, instead of targets: its ranks on this host; NULL: targets */
    bool may_have_ended;  /* where no such job runs, its black boxes are read */
    bool stop;            /* freeze the processes while they are read */
    bool stacks;          /* of all threads are wanted, in MPI too */
    bool stacks_suffice;  /* processes that lack tables are enough: their stacks tell something */
    struct collect_plan plan;
};

/* Reads the job of those black boxes. As read_job. */
enum exit_status read_boxes(const struct dll *dll, const struct job_request *request, const struct box_targets *boxes,
                            struct job *ret_job, struct reason *ret_reason);

/* EXIT_GOOD and a job to be cleared, of which at least one process was read (or lacks tables, where stacks suffice); or
 * EXIT_USAGE or EXIT_UNREADABLE and a reason, of several lines where jobs are listed. */
enum exit_status read_job(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                          struct reason *ret_reason);

/* -- read_part_lines.c --
 * Reads a job from the lines that hosts have written (`mpilens part`), whoever has brought them here.
 */

/* Whether the file has such lines, as its beginning shows; "-" is standard input, and has. */
bool has_part_lines(const char *path);

/* As read_job. Hosts that have begun to answer and have not done so wholly are lost ones. */
enum exit_status read_part_lines(const struct dll *dll, const char *path, const struct collect_plan *plan,
                                 struct job *ret_job, struct reason *ret_reason);

/* Reads all lines of a stream; adds complete parts while reading. 0, or -1 and errno. */
int take_part_lines(const struct dll *dll, FILE *stream, const struct collect_plan *plan, struct part_reader *reader,
                    struct part_job *parts);

/* Says in the notes that the job has ended. */
void job_note_end(struct job *job, const struct ended_choice *choice);

/* -- sample_job.c --
 * Reads a job several times, to learn which of its threads go on and which stand still.
 */

/* How often a job is read, and how long it is watched. */
struct sample_plan {
    int samples;
    double interval_s; /* between them */
    /* How much longer ranks that lack a processor are waited for, at least; 0: as long as those who ask on behalf of
     * others may keep them waiting. */
    double more_s;
    /* Whether what two readings one after the other show is certain, so that the job needs not be watched for the
     * interval. NULL: it is to be watched. The places of its threads are not known yet. */
    bool (*is_settled)(const struct job *job, const void *context);
    const void *context;
};

/* Reads the job as planned; constant targets, such as cores, once. The job is the last sample, with struct
 * thread.stalled of all threads. As read_job. */
enum exit_status sample_job(const struct dll *dll, const struct job_request *request, const struct sample_plan *plan,
                            struct job *ret_job, struct reason *ret_reason);

/* The two halves of it, where somebody else says when the second sample is taken: the first one, with what is compared
 * with it later. As read_job. */
enum exit_status sample_job_first(const struct dll *dll, const struct job_request *request, struct job *ret_before,
                                  struct reason *ret_reason);
/* The last one. Of a process that others have kept from running nothing is proven by standing still: none of its
 * threads has stalled. */
enum exit_status sample_job_last(const struct dll *dll, const struct job_request *request, const struct job *before,
                                 double interval_s, struct job *ret_job, struct reason *ret_reason);

/* Compares two readings of a job that somebody reads again and again, `interval_s` apart: which threads have stalled.
 * `starved`: as of job_end_turn(), the processes of `before` that had no turn in between; NULL: all had. */
void sample_job_compare(const struct job *before, const struct process_reading *starved, double interval_s,
                        struct job *job);

/* -- worlds_beside.c --
 * The other MPI_COMM_WORLDs of the launcher of a job.
 */

/* Fills job.other_worlds where a rank has stood still in a call for longer than the patience and other_world_pid is
 * known: each other MPI_COMM_WORLD of its launcher on this host is sampled as planned, after the job. Reads none while
 * a process may still become a rank of one that is not there yet. `began_s`: when the job began to be read
 * (monotonic_s()). */
void job_read_other_worlds(const struct dll *dll, const struct sample_plan *plan, double patience_s, double began_s,
                           struct job *job);

#endif
