/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `guard`, `watch`, and the leaks of a rank that ends.
 */
#ifndef MPILENS_INSPECT_MONITOR_MONITOR_H
#define MPILENS_INSPECT_MONITOR_MONITOR_H

#include "base/base.h"
#include "collect/collect.h"
#include "gather/gather.h"
#include "model/model.h"
#include "render/machine/machine.h"
#include "source/source.h"
#include "words/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/types.h>

/* -- end_here.c --
 * The other end of `mpilens guard` on a host that it does not run on, when the job is to end: ends its processes there.
 *
 * They are the ranks with the identity of the job, what these have started, the daemon of the launcher above them where
 * it serves this job only, and processes with the guard's mark in their environment, which some launchers hand on.
 */

struct end_here_plan {
    const char *identity; /* of the job; NULL: not known */
    const char *mark;     /* of the guard, as in guard_job.c; NULL: not known */
    double patience_s;    /* between SIGTERM and SIGKILL */
};

/* How long that takes at most. */
double end_here_most_s(double patience_s);
/* 0, or -1 and a reason: something is left. */
int end_here(const struct dll *dll, const struct end_here_plan *plan, struct reason *ret_reason);

/* -- guard_job.c --
 * The processes that a command has started: starting it, waiting for it, knowing them. They are below this process,
 * also those whose parent has ended, since it adopts them; or they have the mark of the job in their environment, since
 * a launcher that is but a client (srun) hands its environment on to ranks that a daemon starts. Nobody else is ever
 * ended.
 */

enum { GUARD_MARK_BYTES = 48 };

struct guard_terminal {
    int file;     /* -1: there is none */
    bool is_lent; /* the command is in the foreground */
};

struct guard_job {
    char mark[GUARD_MARK_BYTES]; /* value of MPILENS_GUARD, which no other job has */
    pid_t guard;                 /* the process that has started the job */
    unsigned long long start;    /* of that, as of process_start(): no older process is one of the job */
    pid_t launcher;
    bool has_ended; /* the launcher */
    int status;     /* its own, as of waitpid; where it has ended */
    int signals;    /* signalfd of those that are blocked in the guard */
    int asked;      /* signal to be told of that was not passed on yet; 0: none */
    int was_asked;  /* the first signal that asked the job to end; later ones are passed on when they come; 0: none */
    bool is_of_terminal; /* the signal `asked`, which is for all of the launcher's group */
    struct {
        int number;
        pid_t sender;
        double when_s; /* CLOCK_MONOTONIC, when it was taken, then when it was passed on */
    } last_asked;      /* the last signal that `asked` was set to */
    bool is_urgent;    /* SIGINT has come once more: the job is to end at once */
    bool is_stopped;   /* the launcher, for it needs the terminal */
    struct guard_terminal terminal;
    double passed_on_s; /* CLOCK_MONOTONIC, when the launcher was given the signal `was_asked` */
};

/* Starts the program at `path` in a process group of its own, with the files and environment of this process. Signals
 * that end, stop or tell something, and are not ignored, are blocked here from now on, and a pipe that nobody reads
 * ends nobody. When this process ends, whatever the reason, the launcher gets SIGTERM. 0, or -1 and a reason. */
int guard_job_start(const char *path, char **command, struct guard_job *ret_job, struct reason *ret_reason);

/* Waits for `seconds`, or until the launcher has ended, `file` (-1: none) is readable, or the first signal has come
 * that asks the job to end, or SIGUSR1 or SIGUSR2: then `asked` is set. Other signals are passed on; SIGTSTP also
 * stops this process. */
void guard_job_wait(struct guard_job *job, int file, double seconds);
/* Handles a signal that was read elsewhere than in guard_job_wait(). Whether the job is to end at once. */
bool guard_job_take(struct guard_job *job, const struct signalfd_siginfo *signal);
/* Waits for so long, or until something happens. */
void guard_job_pause(struct guard_job *job, double seconds);
/* Passes on the signal `asked`. */
void guard_job_pass_on(struct guard_job *job);
/* The terminal is as before again. */
void guard_job_leave_terminal(struct guard_job *job);
/* Sends the launcher SIGTERM. */
void guard_job_ask(const struct guard_job *job);
/* Sends SIGKILL to the launcher and its process group, while it is known. */
void guard_job_kill(const struct guard_job *job);

/* Whether the process is one of the job, wherever it was started. */
bool guard_job_has(const struct guard_job *job, pid_t pid);
/* Whether it has this mark in its environment. */
bool has_guard_mark(const char *mark, pid_t pid);

/* -- guard.c -- Guards a job that `mpilens guard` has started: ends it when it stops making progress or takes too long.
 */

/* How guard says what it finds. */
struct guard_output {
    const struct machine_format *format; /* on standard error; NULL: text */
    const struct machine_file *reports;
    size_t report_count;
    const char *on_finding; /* a command; NULL: none */
    const char *name;       /* of the job, in reports */
    struct source_options source;
};

struct guard_plan {
    const char *command;  /* as people know it */
    double timeout_s;     /* without progress */
    double interval_s;    /* between two looks, but for the first ones, which are sooner */
    double limit_s;       /* of the whole run; 0: none */
    double end_s;         /* so long after the start the job is known to end; INFINITY: not known */
    double before_s;      /* the verdict comes so long before that, too; 0: it does not */
    double kill_after_s;  /* how long each way of ending the job is tried before a harder one */
    const char *snapshot; /* NULL: a name in the current directory */
    mode_t snapshot_mode;
    bool no_snapshot;
    struct host_reach reach; /* of jobs that have ranks on other hosts */
    struct guard_output output;
};

/* Until the job has ended. Its exit status, or EXIT_TIMED_OUT where the guard has ended it, or EXIT_FINDING where a
 * rank has ended it and the launcher says that all is good. */
int guard_run(const struct dll *dll, const struct guard_plan *plan, struct guard_job *job);

/* -- finding_log.c --
 * The findings that a user was told of, and a command that is run once for each new one.
 *
 * It is shared with processes that tell (guard_tell.c): they add to it, and others run the command.
 */

/* A command may take so long, all for one verdict twice as long. */
enum { ON_FINDING_SECONDS = 30 };

struct finding_log;

/* NULL: there is no memory for it, and nothing is ever told. */
struct finding_log *finding_log_begin(void);
void finding_log_end(struct finding_log *log);
/* Adds the findings that are not in it, and keeps the verdict as JSON. Returns how many are new. */
size_t finding_log_add(struct finding_log *log, const struct machine_verdict *verdict);
/* How many wait for the command. */
size_t finding_log_count(const struct finding_log *log);
/* Says each of these in a line. */
void finding_log_say(FILE *stream, const struct finding_log *log);
/* Runs the command for each that waits. `snapshot` "": the job was not saved. A failure is said on `stream`, a line
 * each. */
void finding_log_run(FILE *stream, struct finding_log *log, const char *command, const char *snapshot);

/* -- mark_sender.c --
 * The other end of `mpilens guard` on a host that it does not run on: looks at the ranks there now and then, for as
 * long as they live, and says for how long they have stood still.
 */

struct mark_plan {
    const char *host;      /* under which name the lines are sent */
    const char *identity;  /* of the job; NULL: the only one of this user here, or of slurm_job */
    const char *slurm_job; /* NULL: any */
    double interval_s;     /* between two looks; each of them sends one line */
};

/* Until the ranks have ended, or standard input has, if anything has come from it. EXIT_GOOD, or EXIT_UNREADABLE and a
 * reason. */
enum exit_status send_marks(const struct dll *dll, const struct mark_plan *plan, struct reason *ret_reason);

/* -- run_leaks.c --
 * A rank that is watched until it ends, to say what it has made and not freed.
 *
 * This process stays as the rank's parent. By ptrace(2) the kernel holds the rank still when it exits, while its memory
 * is still there; it is read then and goes on to end. Nothing else happens to it, but that no debugger can attach.
 */

/* Starts the program and waits for its end; when it or a process that it has forked ends behind MPI_Finalize and is one
 * of `ranks`, its leaks are said on standard error: by whoever watches the last rank that a launcher has on this host,
 * of all those ranks together, else at once. Signals are passed on. Returns the exit status of the program, or 128 and
 * the signal that it died of; where that is 0 and this process has said leaks, `error_status`. */
int run_with_leaks(const char *path, char **arguments, const struct rank_set *ranks, int error_status);

/* -- watch_render.c -- The calls of ranks, a line per moment.
 */

/* Lines of a job that is read again and again. */
struct watch_page {
    const struct rank_set *ranks; /* to show */
    size_t width;                 /* columns of the terminal; 0: none, so no line is wrapped */
    size_t lines;                 /* written since the last ruler */
    size_t ranks_of_ruler;        /* how many it was written for */
};

/* Writes what the ranks do, the clock in front: a line, where the terminal is too narrow several, each with the number
 * of its first rank; the ruler first and now and then. 0, or -1 when writing failed. */
int watch_render(FILE *stream, struct watch_page *page, const struct job *job, const struct job *before,
                 const char *clock);
/* As watch_render, as one line of JSON; `at`: seconds since 1970. */
int watch_render_json(FILE *stream, const struct rank_set *ranks, const struct job *job, const struct job *before,
                      double at);

#endif
