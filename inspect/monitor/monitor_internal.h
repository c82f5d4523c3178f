/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of monitor/ only.
 */
#ifndef MPILENS_INSPECT_MONITOR_MONITOR_INTERNAL_H
#define MPILENS_INSPECT_MONITOR_MONITOR_INTERNAL_H

#include "analysis/analysis.h"
#include "collect/collect.h"
#include "gather/gather.h"
#include "kernel/kernel.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "render/text/render_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* -- end_hosts.c --
 * Ending the ranks of a guarded job on other hosts, through an engine that runs `mpilens part --end` there
 * (end_here.c).
 */

/* Where to end what. Zero-initialised is nowhere. */
struct end_hosts {
    struct wide_job *jobs;
    size_t count;
};

/* Adds the hosts of the job that the process of this host stands for, a rank or the launcher, while it is there. False:
 * none are known, or it runs on this host only. */
bool end_hosts_find(struct end_hosts *hosts, const struct dll *dll, const struct host_reach *reach, pid_t process);

struct end_hosts_plan {
    const struct dll *dll;
    const struct host_reach *reach;
    const char *mark;  /* of guard_job.c */
    double patience_s; /* between SIGTERM and SIGKILL */
};

/* How long ending them takes at most. */
double end_hosts_most_s(const struct end_hosts *hosts, const struct end_hosts_plan *plan);
/* Ends the ranks on all of them but this one, and says on which that has failed. */
void end_hosts_run(FILE *stream, const struct end_hosts *hosts, const struct end_hosts_plan *plan);

/* -- guard_deaths.c -- Which ranks of a job that is guarded have ended, in which order, and how. Their parent is the
 * launcher, so the guard asks the kernel about processes that were not waited for yet and, where it can tell (Linux
 * 6.15), about processes that are gone.
 */

struct guard_death {
    pid_t pid;
    int rank;
    bool is_of_launcher; /* started by the command itself, not by what that has started */
    int file;            /* pidfd */
    size_t order;        /* of its end among all, from 1 on; 0: it has not ended */
    double at_s;         /* CLOCK_MONOTONIC, when that was noticed: the same for those that were noticed at once */
    bool is_known;       /* how it has ended */
    int status;          /* as of waitpid */
    bool has_left;       /* its black box says that it has called exit() too early */
    char *directory;     /* in which it ran; NULL: not known */
};

struct guard_deaths {
    int queue; /* readable when a rank has ended; -1: that cannot be found out */
    struct guard_death *items;
    size_t count;
    size_t ended;
    time_t since; /* when these began */
};

struct guard_deaths guard_deaths_begin(void);
void guard_deaths_clear(struct guard_deaths *deaths);

/* From now on the end of this process is noticed. Does nothing where it is watched already, or has ended. */
void guard_deaths_watch(struct guard_deaths *deaths, pid_t pid, int rank, bool is_of_launcher);
/* Takes note of those that have ended. Returns how many that are more than before. */
size_t guard_deaths_note(struct guard_deaths *deaths);
/* Finds out of those that are gone meanwhile how they have ended. */
void guard_deaths_finish(struct guard_deaths *deaths);

/* Notes which ranks have called exit() too early, as the black boxes of the job say, and which have crashed, as the
 * core files beside them say; also those that were not watched. */
void guard_deaths_note_boxes(struct guard_deaths *deaths, const struct job *ended);

/* The rank that has ended the job by ending: the first that was ended by a signal or gave another status than 0; one
 * that has called exit() too early; one with status 0, or of which that is not known, where others were killed directly
 * after it, as launchers do when a rank ends without MPI_Finalize, or where the ends of both were noticed at once.
 * `has_failed`: the command has not ended with status 0, which counts where it is not known how ranks have ended. NULL:
 * none. */
const struct guard_death *guard_deaths_find_first(const struct guard_deaths *deaths, bool has_failed);

/* -- guard_end.c --
 * How `mpilens guard` ends a job, whatever its processes do about it: first the launcher is asked, then all processes
 * on all hosts, then they are killed, with the same patience in between.
 */

struct guard_end_plan {
    const struct dll *dll;
    const struct host_reach *reach;
    const struct end_hosts *hosts; /* on which the job has ranks besides */
    const char *command;           /* as people know it */
    double patience_s;
};

/* Returns when nothing of the job is left, or what is left cannot be ended, which is told. `asked_s`: CLOCK_MONOTONIC,
 * when the launcher was asked to end by a signal; -1: it was not. Whether that was enough on this host. */
bool guard_end(struct guard_job *job, const struct guard_end_plan *plan, double asked_s);

/* -- host_marks.c -- Reports of hosts about the progress of their ranks, and their combination.
 *
 * Each host says for how long its ranks have stood still, by its own clock. Counted back from the moment when that
 * arrives here, it is a span in which they did. The job stood still in the span that all have in common.
 */

enum { MOST_MESSAGE_TEXT = 256 };

enum host_message_kind {
    HOST_ASKED,     /* was asked for marks */
    HOST_MARK,      /* it has sent one */
    HOST_OVER,      /* its ranks have ended */
    HOST_LOST,      /* it does not answer, or no longer; the text is the reason */
    HOST_ALL_NAMED, /* all hosts were asked; of no host */
};

/* Small enough to go through a pipe in one piece. */
struct host_message {
    enum host_message_kind kind;
    double at_s;    /* CLOCK_MONOTONIC, when it arrived on this host */
    double quiet_s; /* of HOST_MARK */
    size_t ranks;   /* of HOST_MARK: that could be read */
    char host[MOST_MESSAGE_TEXT];
    char text[MOST_MESSAGE_TEXT];
};

struct marked_host {
    char *name;
    bool has_answered;
    bool was_read; /* ranks of it */
    bool is_over;
    bool is_lost;
    bool was_told;  /* the user, that it is lost */
    double at_s;    /* when it has said something last */
    double since_s; /* when its ranks have made progress last, as far as is known; as host_marks_narrow() counts it */
    size_t ranks;
    char *reason; /* why it is lost; NULL: it is not */
};

/* The other hosts of a job. Zero-initialised is empty. */
struct host_marks {
    struct marked_host *items;
    size_t count;
    bool is_named; /* all hosts are known */
};

/* CLOCK_MONOTONIC. */
struct quiet_span {
    double since_s, until_s;
};

void host_marks_take(struct host_marks *marks, const struct host_message *message);
void host_marks_clear(struct host_marks *marks);

/* Ranks that could be read. */
size_t host_marks_count_ranks(const struct host_marks *marks);
/* Whether there is a host that does not answer any longer, though its ranks may live. */
bool host_marks_has_lost(const struct host_marks *marks);
/* Whether hosts were asked of which nothing is known yet. */
bool host_marks_is_waiting(const struct host_marks *marks);
/* Whether no host is left with ranks that are known to live. */
bool host_marks_is_over(const struct host_marks *marks);
/* Narrows the span to the time in which the ranks of these hosts also stood still. For hosts that are lost or over, or
 * whose ranks can no longer be read, the last known moment counts; ranks that never could be read do not. */
void host_marks_narrow(const struct host_marks *marks, struct quiet_span *span);

/* -- host_watch.c --
 * The process that listens to the other hosts of a job for `mpilens guard`: an engine runs a sender of marks on each
 * (mark_sender.c), for as long as this process lives.
 */

struct host_watch_plan {
    const struct dll *dll;
    const struct host_reach *reach;
    pid_t process;                 /* a rank of the job on this host, or its launcher */
    const struct host_marks *lost; /* only the hosts that are lost there are asked; NULL: all but this one */
    double interval_s;             /* between two marks of a host */
};

struct host_watch {
    int process; /* pidfd */
    int pipe;    /* struct host_message, one after the other, without blocking; it ends with the process */
};

/* Starts the process; it ends with this one. 0, or -1 and a reason. */
int host_watch_begin(const struct host_watch_plan *plan, struct host_watch *ret_watch, struct reason *ret_reason);
/* The next message. 1, or 0: none has come yet, or -1: the process has ended. */
int host_watch_read(const struct host_watch *watch, struct host_message *ret_message);
/* Asks the process to end, which takes seconds at most; it is a child of this one, to be waited for. */
void host_watch_end(struct host_watch *watch);

/* -- guard_headline.c --
 * The verdict in one line, to be the guard's last one: launchers write much while they end a job.
 *
 * Notes made by a process of guard_tell() come back. The first finding and file count.
 */

/* Forgets what was noted before. */
void guard_headline_begin(void);
void guard_headline_note(const char *text);
void guard_headline_note_finding(const struct finding *finding);
/* Where the job was saved. */
void guard_headline_note_file(const char *path);
/* That place; "": nowhere. */
const char *guard_headline_file(void);
bool guard_headline_is_known(void);
/* For guard_tell(). */
void guard_headline_tell(FILE *stream, void *context);

/* -- guard_hosts.c --
 * The ranks on other hosts of the jobs that `mpilens guard` has started: for each job a process listens to its hosts
 * (host_watch.c), and another one to those that were lost and may come back.
 */

enum { WATCHES_OF_JOB = 2 };

/* A job with ranks on other hosts. */
struct watched_job {
    char *identity; /* NULL: only its launcher is known */
    pid_t process;  /* a rank on this host, or the launcher */
    struct host_marks marks;
    struct host_watch watches[WATCHES_OF_JOB]; /* the first one, of all hosts; of those that were lost */
    bool is_running[WATCHES_OF_JOB];
    double next_s, pause_s; /* when hosts are asked again, and how long after that */
    bool is_here;           /* it was seen in the last look at this host */
};

struct guard_hosts {
    const struct dll *dll;
    const struct host_reach *reach;
    double interval_s;
    double timeout_s; /* of the guard */
    struct watched_job *jobs;
    size_t job_count;
};

/* In every look at this host: first this, then the jobs of which ranks are missing here, then what other hosts have
 * said since. */
void guard_hosts_begin_look(struct guard_hosts *hosts);
/* `identity` NULL: the process is a launcher that has no rank here. */
void guard_hosts_note(struct guard_hosts *hosts, const char *identity, pid_t process);
void guard_hosts_end_look(struct guard_hosts *hosts);

/* Ranks on other hosts that could be read. */
size_t guard_hosts_count_ranks(const struct guard_hosts *hosts);
/* Whether some hosts were asked and nothing is known of them yet. */
bool guard_hosts_is_waiting(const struct guard_hosts *hosts);
/* For how long all hosts have stood still. `own`: the span in which this one did, *own NULL: no rank of it could be
 * read. 0: that is not known yet. */
double guard_hosts_quiet_time(const struct guard_hosts *hosts, const struct quiet_span *own);
/* The next host that does not answer, of which nobody was told before; it is told now. NULL: there is none. */
const struct marked_host *guard_hosts_next_lost(struct guard_hosts *hosts);

/* Returns when what listens has ended, within seconds. */
void guard_hosts_clear(struct guard_hosts *hosts);

/* -- guard_progress.c --
 * Whether a job goes on, by what was read of it now and then: the rule by which `mpilens guard` ends a job.
 *
 * Progress in MPI is: a rank came or went, called another function of MPI, started or completed an operation, began a
 * collective call, made or freed something. A test or probe that finds nothing is none. Progress outside MPI is that a
 * thread that is not in MPI computes; a debugger at a rank, and a job that is suspended as a whole, count as that.
 *
 * Only time in which all ranks could run is time without progress: a rank that waits for a processor, or whose launcher
 * does, can make none.
 */

struct guard_thread {
    uint32_t tid;
    char kernel_state; /* as in ps; 0: not known */
    struct thread_times times;
};

/* A process's use of the processor and its state; see guard_reading_add. */
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
    struct arena arena; /* has the rest, and is to be cleared */
    double at_s;        /* CLOCK_MONOTONIC */
    uint64_t digest;    /* of all that progress in MPI changes */
    struct guard_process *processes;
    size_t process_count;           /* those that could be read */
    struct guard_thread *launchers; /* main threads of the launchers above them */
    size_t launcher_count;
};

/* Adds what was read of a job, at least as deep as COLLECT_SAMPLE, and the processor time of its processes. */
void guard_reading_add(struct guard_reading *reading, const struct job *job);

/* Whether the job has gone on from one reading to the next. */
bool guard_has_progressed(const struct guard_reading *before, const struct guard_reading *later);

/* For how much of the time between two readings, which have the same processes, all of them could run. */
double guard_runnable_time(const struct guard_reading *before, const struct guard_reading *later);
/* How long the job has stood still although it could run, given `quiet_s` at `before`. At most `most_s` of the time in
 * between counts: a guard that did not look for longer was suspended, and the job with it. */
double guard_quiet_time(double quiet_s, const struct guard_reading *before, const struct guard_reading *later,
                        double most_s);

/* -- guard_terminal.c -- The terminal of a command that runs in a process group of its own, so that ^C reaches the
 * guard first.
 *
 * The guard stays in the foreground and hands on what is typed, as launchers do for rank 0. A command that needs the
 * terminal itself is stopped by SIGTTIN or SIGTTOU; then it is lent the terminal, with ^C and ^Z.
 */

/* Finds the terminal of this session. Where standard input is that terminal, the file that is to be standard input of
 * the command instead; -1: standard input is to stay as it is. */
int guard_terminal_begin(struct guard_terminal *ret_terminal);
/* Puts the group into the foreground where this process is there now. Whether the group is there. */
bool guard_terminal_lend(struct guard_terminal *terminal, pid_t group);
/* SIGTTOU must be ignored. */
void guard_terminal_take_back(struct guard_terminal *terminal);

/* -- guard_watch.c -- The readings of `mpilens guard` of the MPI jobs that its command has started: short ones while
 * they run, the verdict at the end.
 */

/* All of them at one moment. Zero-initialised is empty. */
struct guard_look {
    struct guard_reading reading;
    struct job *jobs;
    size_t job_count;
};

/* Reads all of them; no process in the reading: none that could be read, and *ret_reason, if there is any, says why.
 * The end of those that could be read is noticed from now on. Jobs with ranks elsewhere are noted in `hosts` (NULL: in
 * none). */
void guard_watch_read(const struct dll *dll, const struct guard_job *guarded, struct guard_deaths *deaths,
                      struct guard_hosts *hosts, struct guard_look *ret_look, struct reason *ret_reason);
/* The launcher of a job that has no rank on this host; 0: there is none. */
pid_t guard_watch_find_launcher(const struct guard_job *guarded);
/* Whether the process could be read. */
bool guard_look_has(const struct guard_look *look, pid_t pid);
void guard_look_clear(struct guard_look *look);

struct guard_verdict {
    double patience_s;    /* ranks may wait so long for one that is not in MPI, if that is shorter than the usual */
    const char *snapshot; /* file of the first job; that with ".2", ".3" of others; NULL: none */
    mode_t snapshot_mode;
    const struct host_reach *reach;
    const struct guard_output *output;
};

/* The verdict on each of them, on all its hosts, as text, and their snapshots; the calls of the ranks if none is at
 * fault. False: nothing is known of any. */
bool guard_watch_judge(FILE *stream, const struct dll *dll, const struct guard_job *guarded,
                       const struct guard_verdict *verdict);

/* -- guard_output.c --
 * Tells the findings of the guard to everybody who is to know: standard error, reports, CI, and commands.
 */

/* Options for findings on standard error. */
struct render_options guard_render_options(const struct guard_output *output);
/* When the job begins. */
void guard_output_begin(const struct guard_output *output);
/* In a process of guard_tell(). Text without findings is left to the caller. `number` of
 * the job, from 1 on: each has reports of its own. */
void guard_output_tell(FILE *stream, const struct guard_output *output, const struct job *job,
                       const struct analysis *analysis, int number);
/* Whether findings are new, and commands are to be run for them: then guard_output_run() does. */
bool guard_output_has_commands(const struct guard_output *output);
void guard_output_run(FILE *stream, const struct guard_output *output);
/* Whether the end of the run is not in the reports yet: a good one always counts, a bad one where nothing was found. */
bool guard_output_lacks_reports(const struct guard_output *output, int status);
void guard_output_finish(FILE *stream, const struct guard_output *output, int status);

/* -- guard_story.c -- The story of a job that a rank has ended by ending itself: the rank, how it ended, and the calls
 * of all ranks.
 */

/* Writes it as a finding. `has_failed`: see guard_deaths_find_first(), which must have found one; `before`, `after`:
 * the last look before the first noticed end, and the look directly after. Resolves places in both. Black boxes of the
 * job count before them. */
void guard_story_tell(FILE *stream, const struct dll *dll, struct guard_deaths *deaths, bool has_failed,
                      struct guard_look *before, struct guard_look *after, const struct guard_output *output);
/* Writes the error for which MPI has ended the job, as the black boxes tell it, where all ranks were ended together by
 * the launcher; else nothing. */
void guard_story_tell_error(FILE *stream, const struct dll *dll, const struct guard_deaths *deaths,
                            const struct guard_output *output);

/* -- guard_tell.c -- Tells the user something without depending on it: the text may take long to make, its reader may
 * be gone or asleep, the disk may be full.
 */

/* Calls `tell` in a child of this process and writes what it has written to `stream` to standard error. Returns when
 * that is done, has failed or takes too long; then the child is no more. A reader that was asleep the last time is
 * waited for less. `tell` may do other things, too, and end the process; nothing that it changes in memory comes
 * back. */
void guard_tell(void (*tell)(FILE *stream, void *context), void *context);
/* As guard_tell, for a text that may take `more_s` longer. */
void guard_tell_slowly(void (*tell)(FILE *stream, void *context), void *context, double more_s);
/* From now on a SIGINT that makes the job end at once cuts short what is being told. SIGINT must be blocked; `job` is
 * kept. */
void guard_tell_until_interrupt(struct guard_job *job);

/* -- leak_meeting.c --
 * Where those meet that watch the ranks of one MPI_COMM_WORLD on this host, so that the last to leave says of all what
 * they have left: a file that each appends to and has a shared lock on, so nobody ever waits for anybody, and who dies
 * has left.
 */

struct leak_meeting {
    char *path;
    int file;
};

/* Leaks as they were written, each with the rank that has it. */
struct leak_records {
    struct leak *items;
    size_t count;
};

/* A file for those that watch ranks of the same world as this process. The caller frees it; NULL: none, for there is no
 * launcher above this process. */
char *leak_meeting_path(void);
/* Whether there is a meeting: not where there can be no such file. */
bool leak_meeting_join(const char *path, struct leak_meeting *ret_meeting);
/* Writes down what a rank has left. 0, or -1: nobody will say it. */
int leak_meeting_add(const struct leak_meeting *meeting, const struct leaks *leaks);
/* True: nobody else is left, and *ret_records is what all have written. Ends the meeting for this process. */
bool leak_meeting_leave(struct leak_meeting *meeting, struct leak_records *ret_records);

/* -- process_end.c --
 * Ending processes of this host for certain: asked first, then killed, those that are stopped or frozen too.
 *
 * A process is known by its pid and its start, and signalled through a pidfd: nobody else who has been given its pid
 * since.
 */

struct ending_process {
    pid_t pid;
    unsigned long long start; /* as of process_start() */
};

/* Zero-initialised but for the first two is a beginning. */
struct process_end {
    /* Whether the process is to end; never asked of this one. It may be called anew while it reads, see
     * blocked_read_leave_out(). */
    bool (*is_ours)(void *context, pid_t pid);
    void *context;
    struct ending_process *items; /* that were there when they were looked for last */
    size_t count;
    bool has_new;              /* some of them, since SIGKILL was sent last */
    double began_s, renewed_s; /* CLOCK_MONOTONIC: the first SIGKILL, and the last one for a new process */
};

/* Looks for all of them. Those that were found before and are left stay. */
void process_end_find(struct process_end *end);
/* Whether one of those is left, or, where none is, another that is found now. */
bool process_end_is_left(struct process_end *end);
/* Sends SIGTERM to those that were found, and SIGCONT, so that stopped ones take it. */
void process_end_ask(const struct process_end *end);
/* Sends SIGKILL to all that there are now, and thaws frozen ones. False: waiting longer does not help: the rest hangs
 * in the kernel, or the job goes on starting processes. */
bool process_end_kill(struct process_end *end);
/* Until the result is false, in seconds, if no search takes long. */
double process_end_most_s(void);

/* "4711 (a.out), 4712 (a.out) and 3 more" of those that are left. */
const char *process_end_names(const struct process_end *end);
/* Why the first of those that are left has outlived SIGKILL: "process 4711 (a.out) is left: ..."; NULL: none is. */
const char *process_end_explain(struct process_end *end);

#endif
