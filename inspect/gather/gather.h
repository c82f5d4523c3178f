/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job on all its hosts: finding the hosts, the rounds of an engine, hosts that have not answered.
 */
#ifndef MPILENS_INSPECT_GATHER_GATHER_H
#define MPILENS_INSPECT_GATHER_GATHER_H

#include "base/base.h"
#include "collect/collect.h"
#include "engine/engine.h"
#include "model/model.h"
#include "part/part.h"

#include <stdbool.h>
#include <sys/types.h>

/* -- gather.c --
 * Reads a job on all its hosts: lets an engine run `mpilens part` there, in one round or two, and puts together what
 * comes back.
 *
 * Two rounds, one cut: the second round begins when the last host has answered in the first, or was given up. Then all
 * ranks that stood still between their two readings did so at one common moment, without any clock.
 */

struct gather_request {
    const struct host_list *hosts;
    const char *identity;        /* of the job; NULL: the only one of this user on each host, or of slurm_job */
    const char *slurm_job;       /* NULL: it is none of Slurm */
    int slurm_components;        /* of a heterogeneous one; 0: it is none */
    const struct engine *engine; /* NULL: which suits */
    const char *engine_words;    /* of engine_of_words */
    double timeout_s;            /* for all */
    double interval_s;           /* between the rounds */
    bool ship;                   /* mpilens is sent to hosts that do not have it */
    bool two_rounds;
    bool stop; /* freeze the ranks of each host while they are read */
    bool stacks;
    bool full; /* with what handles need */
    struct collect_plan plan;
    const char *const *rank_hosts; /* where each rank runs, by rank; NULL: not known */
    size_t rank_host_count;
    size_t *lost; /* how many hosts have not answered goes there, also where nothing was read; NULL: nowhere */
    const char *const *more_words; /* of `mpilens part`, ends with NULL; NULL: none */
    void (*on_lost)(void *context, const char *host, const char *reason); /* of each such host; NULL: nobody is told */
    void *context;
};

/* EXIT_GOOD and a job to be cleared, of which at least one rank was read and whose notes say which hosts have not
 * answered; or EXIT_UNREADABLE or EXIT_USAGE and a reason. */
enum exit_status gather_job(const struct dll *dll, const struct gather_request *request, struct job *ret_job,
                            struct reason *ret_reason);

/* -- host_answers.c -- The state of each host while an engine runs: whether it has answered, and if not, why not.
 */

struct host_answer {
    char *said_name; /* as the host calls itself; NULL: it has said nothing */
    char *reason;    /* NULL: none */
    enum engine_reason_worth worth;
    bool is_over;   /* nothing more can come from it */
    bool is_ready;  /* for the second round */
    bool is_merged; /* it has said that its part is in another one */
    bool has_answered[MOST_ROUNDS];
};

struct host_answers {
    const struct host_list *hosts;
    struct host_index index;   /* of these */
    const char *command;       /* the program that was to be run */
    struct host_answer *items; /* by host */
    char *reason;              /* that is about no single host; NULL: none */
    enum engine_reason_worth worth;
};

struct host_answers host_answers_begin(const struct host_list *hosts, const char *command);
void host_answers_clear(struct host_answers *answers);
/* Before commands are started again. */
void host_answers_restart(struct host_answers *answers);

/* A line of output, which the reader has been fed with, or of an error of a command that reaches `host` only (NULL:
 * several). */
void host_answers_note_output(struct host_answers *answers, const char *host, const char *line,
                              const struct part_reader *reader);
void host_answers_note_error(struct host_answers *answers, const char *host, const char *line);
/* Notes that a part has arrived whole, from the host of this name or from one that merged other hosts' parts. */
void host_answers_note_part(struct host_answers *answers, const char *said_name, int round,
                            const struct part_reader *reader);
/* That command has ended, with a status as of waitpid. */
void host_answers_note_end(struct host_answers *answers, const char *host, int status);

/* How far a round is. */
struct host_counts {
    size_t done;    /* hosts that have answered in it and, in round 1 of a start for both, wait for the next one */
    size_t pending; /* from which something may still come */
};
struct host_counts host_answers_count(const struct host_answers *answers, int round, bool until_ready);
/* Whether every host that has answered in the first round has answered in the second, or never will. */
bool host_answers_are_complete(const struct host_answers *answers);
/* Why a host has no whole part. The caller frees it. */
char *host_answers_explain(const struct host_answers *answers, size_t host, const struct part_reader *reader, int round,
                           double waited_s);

/* How the other hosts of a job are reached, as the user has said. */

struct host_reach {
    bool here;                   /* they are left alone */
    const char *hosts;           /* a list of hosts; NULL: the job's */
    const struct engine *engine; /* NULL: which suits */
    const char *engine_words;    /* of engine_of_words */
    double timeout_s;            /* hosts that have not answered by then are given up */
    bool ship;                   /* mpilens is sent to those that do not have it */
};

/* -- shipment.c -- This command with all that it needs, to be sent to hosts where it is not: itself, the debugger
 * library, and the shared libraries loaded here except the C library's. It goes through the standard input of an
 * engine, before all other input; a script for sh on the other host unpacks it into a directory of its own.
 *
 * The CRC-32 of gzip protects it. The directory is removed as soon as the command has begun there.
 */

struct shipment {
    char *bytes; /* gzip */
    size_t count;
    const char *script;
};

/* 0 and a shipment, whose bytes the caller frees, or -1 and a reason. */
int shipment_make(struct shipment *ret_shipment, struct reason *ret_reason);

/* Changes a command of this program, which is its first word, into one that unpacks the program first where it is
 * missing. The bytes of the shipment come first on standard input. */
void shipment_wrap(const struct shipment *shipment, struct engine_words *command);

/* If this command was sent, removes its directory, so that it cannot be started again. False, and nothing is done: it
 * is no such command. */
bool shipment_remove_own(void);

/* -- slurm_jobs.c -- Slurm's facts about jobs (squeue), even on a login node.
 */

/* The job in whose allocation this process is, if it runs, or the only job of this user that does, with its hosts. 1,
 * or 0: there is no Slurm or no job, or -1: there are several. */
int slurm_find_only_job(struct job_hosts *ret_hosts);
/* Finds the facts about a job. 0, or -1 and a reason. */
int slurm_find_job(const char *job, struct job_hosts *ret_hosts, struct reason *ret_reason);

/* -- wide_job.c --
 * Which job is meant, and on which hosts it runs.
 */

/* The user's request. */
struct wide_job_request {
    char **targets; /* none, or one that is the PID of a rank or launcher; all else is of this host */
    size_t target_count;
    const char *hosts;     /* a list of hosts; NULL: the job's */
    const char *slurm_job; /* NULL: the job's own, if any */
    bool rank_is_alone;    /* a rank that is named does not stand for its job */
};

struct wide_job {
    struct job_hosts where;
    const char *identity;    /* NULL: it is not known here */
    const char **rank_hosts; /* where each rank runs, by rank; NULL: not known */
    size_t rank_host_count;
};

enum wide_job_status {
    WIDE_JOB_HERE,    /* all targets are on this host, or cannot be found: as if there were no others */
    WIDE_JOB_SEVERAL, /* the same where Slurm runs several jobs of this user and none is here */
    WIDE_JOB_HOSTS,   /* `ret_job` has the hosts */
    WIDE_JOB_ERROR,   /* the reason says what is wrong */
};

enum wide_job_status wide_job_find(const struct dll *dll, const struct wide_job_request *request,
                                   struct wide_job *ret_job, struct reason *ret_reason);
/* The hosts of the job with this identity, as they are known on this host. False: they are not. */
bool wide_job_find_hosts(const struct dll *dll, const char *identity, struct host_list *ret_hosts);
/* The only job of this user on this host, of those that `slurm_job` is (NULL: of all): a process that stands for it. 1,
 * or 0: there is none, or -1 and a reason: there are several. */
int wide_job_find_only(const struct dll *dll, const char *slurm_job, pid_t *ret_pid, struct reason *ret_reason);

#endif
