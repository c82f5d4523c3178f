/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of verbs/ only.
 */
#ifndef MPILENS_INSPECT_VERBS_VERBS_INTERNAL_H
#define MPILENS_INSPECT_VERBS_VERBS_INTERNAL_H

#include "analysis/analysis.h"
#include "base/base.h"
#include "engine/engine.h"
#include "gather/gather.h"
#include "job/job.h"
#include "launch/launch.h"
#include "model/model.h"
#include "render/machine/machine.h"
#include "render/text/render_text.h"
#include "verbs/verbs.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* So long, at least, somebody who asks waits for ranks that lack a processor; see struct sample_plan. */
enum { USER_WAITS_SECONDS = 30 };

/* -- command_line.c -- How every verb reads its arguments: by argp, whose tables of options also serve shells and
 * manual pages.
 */

/* argp_parse(), which names the option that was probably meant where it does not know one. */
void command_line_parse(const struct argp *argp, int argument_count, char **arguments, unsigned flags, void *input);

/* Receives a verb's parser and arguments, its name first, instead of parsing. The command ends after it. `in_order`:
 * words after the first one that is no option belong to a program. */
typedef void (*command_line_reader)(const struct argp *argp, int argument_count, char **arguments, bool in_order);
void command_line_read_by(command_line_reader reader);

/* All options, children's included, in the order of the tables; without --help, --usage and --version. */
void command_line_visit(const struct argp *argp, void (*visit)(const struct argp_option *option, void *context),
                        void *context);

/* Whether the option has a letter. */
bool command_line_has_letter(const struct argp_option *option);
/* The option that a word which begins with "-" names, by its beginning or its last letter; NULL: there is none. */
const struct argp_option *command_line_find(const struct argp *argp, const char *word);
/* Whether the value of the option is the next word. `option` NULL: no. */
bool command_line_takes_next(const struct argp_option *option, const char *word);

/* -- batch_end.c --
 * When the batch system ends this job.
 */

/* Seconds from `now` on until `end_time`, which are seconds since 1970 as text, or NULL; INFINITY: not known. */
double batch_end_s(const char *end_time, time_t now);

/* -- duration.c --
 * Durations as people write them: "90", "90s", "1m30s", "2h", "1.5h", "500ms", "1d".
 */

/* Seconds, 0 or more; a number without a unit is of seconds and stands alone. 0, or -1: it is no duration. */
int duration_parse(const char *text, double *ret_seconds);
/* The value of an option, in seconds; with one that is none, is below the least or above the most, the command ends as
 * argp_error() does. */
double duration_option(struct argp_state *state, const char *option, const char *text, double least_s, double most_s);

/* -- error_exitcode.c --
 * The option --error-exitcode of the verbs that start programs, and the variable MPILENS_ERROR_EXITCODE.
 */

/* A parser for the children of another one, which gives it an int * as its input, for the value of --error-exitcode,
 * from 1 to 125. */
extern const struct argp error_exitcode_parser;

/* The value from the environment; 0: none that is valid. */
int error_exitcode_of_environment(void);
/* Says it to what is started from now on, and that leaks are to be looked for. */
void error_exitcode_export(int status);

/* -- file_mode.c -- The permissions of saved files: the option --mode.
 */

#define FILE_MODE_HELP "Permissions of the file, in octal, such as 640 (default: 600, as it says what a program did)"

/* The value of the option; with one that is none, or that its owner could not read, the command ends as argp_error()
 * does. */
mode_t file_mode_option(struct argp_state *state, const char *text);

/* -- gdb_command.c -- The command that starts gdb on ranks of a job: one gdb with an inferior for each, here or,
 * through ssh, on the host on which they are.
 */

/* Whether gdb can look into the process from this host: it lives here, or has a core file. */
bool gdb_is_at_hand(const struct job *job, const struct process *process);

/* The command for these ranks, all of which the job has; the first one is selected. `job_words`: as of
 * name_job_again. `is_shipped`: other hosts do not have mpilens, so that their gdb has no scripts. 0, or -1 and a
 * reason. */
int gdb_command_make(const struct job *job, const struct rank_set *ranks, const char *job_words, bool is_shipped,
                     struct engine_words *ret_words, struct reason *ret_reason);

/* -- format_option.c --
 * The option --format of the verbs that judge.
 */

#define FORMAT_HELP                                                                                                    \
    "Write the findings as text (default), json (the same as --json), gcc (as a compiler's messages), github "         \
    "(annotations), gitlab (Code Quality), sarif, junit or markdown (for a ticket)"
#define REPORT_HELP                                                                                                    \
    "Write the verdict to FILE, or that all was well; the suffix says the format: .xml (JUnit), .sarif, .md, .json, "  \
    ".html or .txt, or FORMAT:FILE, as in gitlab:report.json; may be repeated"
/* With a word that is no format, the command ends as argp_error() does. */
const struct machine_format *format_option(struct argp_state *state, const char *word);

/* -- host_options.c --
 * The options that say how the other hosts of a job are reached.
 */

struct host_options {
    bool here;
    const char *list;   /* of --hosts, into the arguments; NULL: none */
    const char *engine; /* of --engine, into the arguments, or of the environment; NULL: none */
    double timeout_s;
    bool ship;
};

struct host_options default_host_options(void);

/* A parser for the children of another one, which gives it a struct host_options as its input. */
extern const struct argp host_option_parser;

/* Interprets them; texts stay in the arguments. 0, or -1 and a reason: there is no such engine. */
int host_options_reach(const struct host_options *options, struct host_reach *ret_reach, struct reason *ret_reason);

/* -- options.c --
 * The options that the verbs about jobs share.
 */

/* Groups of options, in the order of the help; --help and --version are always there, and but for OPTIONS_GDB --color
 * and --json. */
enum option_groups {
    OPTIONS_TARGETS = 1 << 0,     /* TARGET..., --rank, --stop */
    OPTIONS_LISTS = 1 << 1,       /* --all */
    OPTIONS_RANKS = 1 << 2,       /* --verbose, --ended */
    OPTIONS_OBJECTS = 1 << 3,     /* --objects */
    OPTIONS_STACK_TREE = 1 << 4,  /* --stack */
    OPTIONS_SAMPLES = 1 << 5,     /* --samples, --interval */
    OPTIONS_STACKS = 1 << 6,      /* --no-stack */
    OPTIONS_VERDICT = 1 << 7,     /* --patience, --growth */
    OPTIONS_FORMS = 1 << 8,       /* --dot, --svg, --html, --watch */
    OPTIONS_WATCH = 1 << 9,       /* --count */
    OPTIONS_LIMIT = 1 << 10,      /* --limit */
    OPTIONS_OUTPUT = 1 << 11,     /* --output */
    OPTIONS_PART = 1 << 13,       /* JOB, --full, --round, ..., --marks, --end, --slurm; with OPTIONS_TARGETS */
    OPTIONS_HOSTS = 1 << 14,      /* --here, --hosts, --slurm, --engine, --engine-timeout */
    OPTIONS_DLL = 1 << 15,        /* --dll */
    OPTIONS_TRACE = 1 << 16,      /* --perfetto */
    OPTIONS_GDB = 1 << 17,        /* RANK[,RANK...] [TARGET...], --print; instead of OPTIONS_TARGETS */
    OPTIONS_SOURCE = 1 << 18,     /* --source, --no-source */
    OPTIONS_FORMAT = 1 << 19,     /* --format */
    OPTIONS_METRICS = 1 << 20,    /* --openmetrics */
    OPTIONS_ON_FINDING = 1 << 21, /* --on-finding */
    OPTIONS_PACE = 1 << 22,       /* --interval */
    OPTIONS_REPORT = 1 << 23,     /* --redact */
    OPTIONS_HANDLE = 1 << 12,     /* TARGET KIND VALUE, TARGET NAME, --fortran, --questions; with OPTIONS_TARGETS */
};

/* How the result is written; one at a time. */
enum output_form {
    FORM_TEXT,
    FORM_JSON,
    FORM_DOT,
    FORM_SVG,
    FORM_HTML,
    FORM_MACHINE, /* as `format` says */
    FORM_METRICS,
};

/* The parts of its ranks' state that a host sends. */
struct part_options {
    const char *host; /* of --as, into the arguments; NULL: none */
    int round;        /* of --round; 0: none was given */
    bool rounds;      /* both, the second one when standard input says so */
    bool full;
    bool merge;
    double marks_s;    /* between two marks; 0: none are asked for */
    bool ends;         /* the job, here */
    double end_s;      /* between SIGTERM and SIGKILL */
    const char *guard; /* of --guard, into the arguments; NULL: none */
};

struct options {
    struct render_options render;
    enum output_form form;
    const struct machine_format *format; /* NULL: none was named */
    bool stop;
    bool stacks; /* of all threads are read */
    bool fortran;
    bool ended;  /* jobs that have ended are meant */
    bool prints; /* the command, and does not execute it */
    bool no_pager;
    bool redacts;
    int samples;
    double interval_s; /* between samples */
    bool has_interval; /* the user has said it */
    struct analysis_options verdict;
    uint64_t count;         /* how often the job is shown; 0: to its end */
    uint64_t limit;         /* live objects of one place that are too many at a rank */
    mode_t mode;            /* of --mode: mode of that file */
    const char *output;     /* of --output, into the arguments; NULL: none */
    const char *perfetto;   /* of --perfetto, into the arguments; NULL: none */
    const char *html;       /* of --html, into the arguments; NULL: none */
    const char *on_finding; /* of --on-finding, into the arguments; NULL: none */
    const char *questions;  /* of --questions, into the arguments; NULL: none */
    const char *dll;        /* of --dll, into the arguments; NULL: none */
    struct part_options part;
    struct host_options hosts;
    const char *slurm_job; /* of --slurm, into the arguments; NULL: none */
    const char *rank_text; /* of --rank, into the arguments */
    char **targets;        /* into the arguments */
    size_t target_count;
    void *kinds[4]; /* of options that the verb has, for the parser; while it runs */
    size_t kind_count;
    bool has_hosts; /* the verb can read other hosts */
};

/* Reads the arguments of a verb, arguments[0] being its name; help and errors end the process (status 0 and
 * EXIT_USAGE). `description` is the first line of the help, `more` what stands below the options. */
void options_parse(int argument_count, char **arguments, unsigned groups, const char *description, const char *more,
                   struct options *ret_options);

/* -- job_moments.c --
 * Reads a job again and again, as its hosts and processes allow.
 */

struct job_moments {
    const struct dll *dll;
    const struct options *options;
    struct job_request request;
    bool is_wide; /* from all hosts of the job */
    struct wide_job wide;
    size_t lost;          /* hosts that did not answer last */
    bool is_constant;     /* a snapshot or core files: there is no second moment */
    pid_t representative; /* stands for the whole job as long as that lasts; 0: it was not read from processes */
    char *target[1];
};

enum job_moment {
    JOB_MOMENT_READ,
    JOB_MOMENT_NONE, /* nothing could be read, and the job is there */
    JOB_MOMENT_OVER, /* the job has ended */
    JOB_MOMENT_LOST, /* its hosts no longer answer, for the reason */
};

/* Finds the job and reads it for the first time. EXIT_GOOD, moments and a job to be cleared, or a reason. */
enum exit_status job_moments_begin(struct job_moments *ret_moments, const struct dll *dll,
                                   const struct options *options, struct job *ret_job, struct reason *ret_reason);
/* Reads it once more. Ranks without the runtime are held still for a moment, to read their stacks. */
enum job_moment job_moments_read(struct job_moments *moments, struct job *ret_job, struct reason *ret_reason);

/* -- job_verb.c --
 * Steps that the verbs about one job share: reading it, looking for the ranks of --rank, saying why it cannot be read,
 * and clearing up.
 */

struct job_verb {
    const char *description; /* first line of the help */
    const char *more;        /* text below the options */
    unsigned options;        /* enum option_groups, with OPTIONS_TARGETS; with OPTIONS_SAMPLES the job is sampled */
    bool shows_past;         /* it needs the places of completed operations */
    bool stacks_suffice;     /* it has something to say of processes that lack tables */
    /* With OPTIONS_SAMPLES: see struct sample_plan; NULL: never. Not asked where the user has said the interval. */
    bool (*is_settled)(const struct options *options, const struct job *job);
    enum exit_status (*on_job)(const struct options *options, const struct job *job);
    /* Before anything is read; NULL: nothing is to be checked. Not EXIT_GOOD and a reason: the verb ends. */
    enum exit_status (*check)(struct options *options, struct reason *ret_reason);
    bool keeps_target; /* it says itself what a TARGET is that is no process */
    /* Instead of on_job: it reads what it needs. A reason that it leaves is printed. */
    enum exit_status (*run)(const struct dll *dll, struct options *options, struct reason *ret_reason);
};

/* Runs the verb. Returns its own exit status, or the status of reading the job. */
enum exit_status job_verb_run(const struct job_verb *verb, int argument_count, char **arguments);

/* The words of the options that name the job, for a shell: "4711", "--slurm=4711"; NULL: none do. */
const char *name_job_again(const struct options *options);

/* A process of this host that stands for the whole job as long as that lasts; 0: it was not read from processes. */
pid_t job_verb_representative(const struct job *job);
/* By CLOCK_MONOTONIC, in seconds. */
void job_verb_wait_until(double end_s);

/* Says on standard error what is odd about how the job was started, or how its parts fit together. */
void say_about_job(const struct job *job);

/* -- mpi_option.c --
 * The option --mpi of the verbs that start programs.
 */

/* A parser for the children of another one, which gives it a const struct mpi_family ** as its input, for the value of
 * --mpi. */
extern const struct argp mpi_option_parser;

/* -- named_target.c --
 * A TARGET that is the name of a program or the number of a job of Slurm.
 */

/* Replaces the only TARGET by the PID of the job that runs the program of this name, or by --slurm where it is a number
 * that no process here has. EXIT_GOOD, also where there is nothing to replace, or another status and a reason. */
enum exit_status named_target_find(const struct dll *dll, struct options *options, struct reason *ret_reason);

/* -- pager.c -- Long output on a terminal goes through a pager: MPILENS_PAGER, else PAGER, else less.
 */

/* Standard output is kept back from now on, where it is a terminal. */
void pager_begin(void);
/* Shows it, in a pager if it is longer than the terminal. */
void pager_end(void);

/* -- parent_watch.c --
 * A process on another host must not outlive who has started it.
 */

/* From now on this process ends, without a word and within a second, when its parent has ended. Ranks that it has
 * stopped are resumed by the kernel. */
void end_with_parent(void);

/* -- progress_line.c --
 * How far a reading is, in a line on standard error, where that is a terminal and the reading takes longer.
 */

void progress_line_begin(void);
/* Removes the line, before anything else is written. */
void progress_line_end(void);

/* -- read_hosts.c --
 * Reads the job that the user means: on all its hosts where it has others than this one, else here.
 */

/* How verbs differ. */
struct host_reading {
    bool two_rounds;    /* it is to be known who stood still */
    bool full;          /* with what handles need */
    bool rank_is_alone; /* a rank that is named does not stand for its job */
};

/* Whether the job was read on its hosts. Then *ret_status is as of read_job, with a job or a reason. False: it is left
 * to the caller, as if there were no other hosts. */
bool read_hosts(const struct dll *dll, const struct options *options, const struct job_request *request,
                const struct host_reading *reading, struct job *ret_job, enum exit_status *ret_status,
                struct reason *ret_reason);

/* WIDE_JOB_SEVERAL */
#define SEVERAL_JOBS_OF_SLURM                                                                                          \
    "no MPI job runs on this host, and Slurm runs several of this user: name one with --slurm (see squeue --me)"

/* The same in two steps, for who reads a job again and again. First its hosts: WIDE_JOB_ERROR is EXIT_USAGE. */
enum wide_job_status find_hosts(const struct dll *dll, const struct options *options, const struct job_request *request,
                                const struct host_reading *reading, struct wide_job *ret_wide,
                                struct reason *ret_reason);
/* Then the job. *ret_lost is how many hosts have not answered, also where nothing was read. */
enum exit_status read_wide_job(const struct dll *dll, const struct options *options, const struct job_request *request,
                               const struct host_reading *reading, const struct wide_job *wide, struct job *ret_job,
                               size_t *ret_lost, struct reason *ret_reason);

/* -- shown_ranks.c -- Checks the ranks of --rank against the job's, for all verbs.
 */

/* Whether the job has all ranks that the set names, be they read or not. 0, or -1 and a reason. */
int check_shown_ranks(const struct job *job, const struct rank_set *ranks, struct reason *ret_reason);

/* Whether the job has any of them. */
bool has_shown_rank(const struct job *job, const struct rank_set *ranks);

/* -- source_options.c --
 * The options that say where source files are.
 */

/* A parser for the children of another one, which gives it a struct source_options as its input. */
extern const struct argp source_option_parser;

/* -- similar_word.c --
 * Finds the word that somebody meant who has mistyped it.
 */

/* One of the words, of which any may be NULL, that begins with `word` or differs from it in a letter or two; NULL: none
 * is like it. */
const char *similar_word(const char *word, const char *const *words, size_t count);

/* -- verb_why.c --
 */

/* The verdict, to be cleared, and the exit status that it has. */
enum exit_status verb_why_judge(const struct options *options, const struct job *job, struct analysis *ret_analysis);

/* -- verb_guard.c --
 */

/* Whether the program starts ranks, as its name says. */
bool verb_guard_is_launcher(const char *program);

/* -- verb_refuse.c -- */

/* The command line, begun as a user has done without mpilens, that starts a job whose ranks can be read. The caller
 * frees it. */
char *verb_refuse_write_start(char *const *words);

/* -- watch_findings.c --
 * Judges a job that is watched, and runs the command of --on-finding.
 */

#define ON_FINDING_HELP                                                                                                \
    "Run COMMAND with sh for each new finding, for at most 30 s, with MPILENS_KIND, MPILENS_HEADLINE, MPILENS_RANKS, " \
    "MPILENS_CULPRITS, MPILENS_PLACE, MPILENS_JOB and MPILENS_FILE (the snapshot) in its environment, and the "        \
    "verdict "                                                                                                         \
    "as JSON on its standard input; its output goes to standard error"

struct watch_findings;

/* `command` NULL: the result is NULL, and nothing is judged. */
struct watch_findings *watch_findings_begin(const char *command);
/* Judges the job that the request names as `why` does, unless that was done within some seconds, and tells new findings
 * on standard error. */
void watch_findings_judge(struct watch_findings *findings, const struct dll *dll, const struct options *options,
                          const struct job_request *request);
void watch_findings_end(struct watch_findings *findings);

#endif
