/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs of others that reach other hosts (srun, ssh, clush, ...): command lines, running them; the hosts of a job.
 */
#ifndef MPILENS_INSPECT_ENGINE_ENGINE_H
#define MPILENS_INSPECT_ENGINE_ENGINE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct engine_run;

/* -- engine_run.c --
 * Runs the commands of an engine: starts them, gives all of them the same standard input, takes their output line by
 * line, and ends them. Nothing here waits for longer than it is told to, whatever the commands do or do not do: output
 * without end, half a line, nothing at all.
 *
 * Each command is the leader of a session of its own, so that it has no terminal to ask for a password and gets no
 * signal of the terminal. Its children end with it. If this process is killed, the kernel ends the commands; their
 * remote processes notice that standard input has ended.
 *
 * From engine_run_begin() to engine_run_end(), the signals that end this process (HUP, INT, QUIT, TERM) wait;
 * engine_run_end() lets them through. Those that were blocked before interrupt nothing.
 */

struct engine_command {
    char **arguments; /* ends with NULL; the first is searched for as a shell does */
    const char *host; /* the only host that it reaches; NULL: several */
    int *outputs;     /* numbers above 2: it writes to files that are open under these, too */
    size_t output_count;
};

/* Receives the output of commands, by their number; further outputs are told as output. Lines have no line break;
 * lines that are too long are dropped. */
struct engine_listener {
    void (*on_output)(void *context, size_t command, const char *line);
    void (*on_error)(void *context, size_t command, const char *line);
    void (*on_end)(void *context, size_t command, int status); /* as of waitpid; all lines came before */
    void *context;
};

/* Starts the first `most_at_once` commands, the others as those end. `commands` and what they point to stay the
 * caller's and must stay there; `environment` too. 0, or -1 and a reason. */
int engine_run_begin(const struct engine_command *commands, size_t count, size_t most_at_once, char **environment,
                     const struct engine_listener *listener, struct engine_run **ret_run, struct reason *ret_reason);

/* Tells the listener what there is; waits for something to tell, at most until `until_s` (CLOCK_MONOTONIC). False: all
 * commands have ended, or a signal has come that ends this process. */
bool engine_run_wait(struct engine_run *run, double until_s);
/* Whether such a signal has come. */
bool engine_run_is_interrupted(const struct engine_run *run);
/* Goes on after SIGINT, the next of which ends this process. False: it was another signal, or none. */
bool engine_run_go_on(struct engine_run *run);

/* Adds to the standard input of all commands, also of those that have not been started yet. */
void engine_run_say(struct engine_run *run, const char *bytes, size_t count);
/* After what was said their standard input ends. */
void engine_run_say_no_more(struct engine_run *run);

/* Ends what is left of the commands, and frees the run. Returns when all are gone, or do not go. */
void engine_run_end(struct engine_run *run);

/* -- host_list.c -- Names of hosts as launchers, schedulers and people write them: "n1,n[08-11],rack[1-2]n[1-4]-ib".
 * These texts come from other users' processes and environments and end up in command lines, so malformed names are
 * refused.
 */

/* A list of more is damaged. */
enum { MOST_HOSTS = 1 << 17, MOST_HOST_NAME_BYTES = 255 };

/* Zero-initialised is empty. */
struct host_list {
    const char **names; /* in the order in which they were said */
    size_t count;
};

/* Letters, digits, '.', '-' and '_' (RFC 1123, and what is found all the same), beginning with a letter or digit. */
bool is_host_name(const char *name);

/* 0, or -1: it is no name of a host, or there are too many. One that was added last is not added again. */
int host_list_add(struct host_list *list, const char *name);
/* Adds the names of a list with ranges in brackets, in the form of Slurm, pdsh and ClusterShell. 0, or -1: malformed;
 * then nothing was added. */
int host_list_parse(struct host_list *list, const char *text);
/* As host_list_parse, for "login,n[3:1-4,7]@0(5)", the value of OMPI_MCA_orte_node_regex (Open MPI 3 and 4,
 * orte/util/regx): the number before the colon gives the digits of a name. */
int host_list_parse_node_regex(struct host_list *list, const char *text);
/* Leaves out what is said twice. */
void host_list_finish(struct host_list *list);

/* Its place; count: it is not in it. Names with and without a domain may mean the same, see is_same_host(). */
size_t host_list_find(const struct host_list *list, const char *name);
/* This host as the list calls it; NULL: it is not in it. */
const char *host_list_find_own(const struct host_list *list);
/* "n1,n2,n3". */
const char *host_list_join(const struct host_list *list);
/* "n[1-3]", short even for many. */
const char *host_list_fold(const struct host_list *list);

/* -- engine.c --
 * Engines: programs of others that run one command once on each of several hosts and bring back what it writes.
 * doc/hosts.md has the table for people.
 */

/* A command and its hosts. */
struct engine_task {
    const struct host_list *hosts;
    const char *own_host;       /* this host, if it is one of them; else NULL */
    const char *slurm_job;      /* whose hosts these are; NULL: it is no job of Slurm */
    int slurm_components;       /* of a heterogeneous one; 0: it is none */
    const char *const *command; /* its words; ends with NULL */
    const char *custom;         /* the words of engine_of_words */
    double timeout_s;
};

struct engine_plan {
    struct engine_command *commands;
    size_t count;
    size_t most_at_once;
    char **environment; /* as of engine_environment() */
};

struct engine {
    const char *name;
    const char *const *programs; /* one of which it needs; ends with NULL. None: any */
    size_t most_input_hosts;     /* up to this number of hosts, all get the standard input at once */
    size_t most_hosts;           /* it is not chosen for more, unless there is no other */
    bool reaches_this_host;      /* treats this host as any other; false: commands for this host are started directly */
    bool needs_slurm_job;
    /* Adds to a plan that has its defaults. `program` is the one that was found. 0, or -1 and a reason. */
    int (*plan)(const char *program, const struct engine_task *task, struct engine_plan *plan,
                struct reason *ret_reason);
};

/* By its name. NULL: there is none. */
const struct engine *engine_by_name(const char *name);
/* The names of all: "slurm, ssh, ...". */
const char *engine_names(void);
/* The engine of a user's words, such as "clush -w %h": %h stands for the hosts, "n1,n2", %f for the same as "n[1-2]",
 * %n for their number, %% for %. The words of the command follow. */
extern const struct engine engine_of_words;

/* The first that is installed and suits; `slurm_job` and its components as in the task. NULL and a reason: there is
 * none. */
const struct engine *engine_choose(const char *slurm_job, int slurm_components, size_t host_count,
                                   struct reason *ret_reason);

/* 0 and a plan, or -1 and a reason. */
int engine_plan_make(const struct engine *engine, const struct engine_task *task, struct engine_plan *ret_plan,
                     struct reason *ret_reason);

/* -- engine_ask.c --
 * Asks a program something: its output, within bounds of time and size.
 */

/* The standard output of the command (ends with NULL) if it ended with status 0. The caller frees it; NULL: it failed,
 * took longer than `patience_s`, or this process was asked to end. */
char *engine_ask(char *const *command, double patience_s);

/* -- engine_command.c --
 * Command lines of engines, word by word: no shell of ours ever reads them.
 */

/* Words of a command line that ends with NULL. Zero-initialised is empty. */
struct engine_words {
    char **items;
    size_t count;
};

/* Adds a word; it is formatted. */
__attribute__((format(printf, 2, 3))) void engine_words_add(struct engine_words *words, const char *format, ...);
/* Adds each word of a command as it is. */
void engine_words_add_command(struct engine_words *words, const char *const *command);
/* Adds all of a command as one word that a shell takes apart into the words again. */
void engine_words_add_for_shell(struct engine_words *words, const char *const *command);
/* Splits a line as a shell does, with blanks, '...', "..." and \, and expands nothing. 0, or -1: a quote has no end, or
 * there are no words; then nothing was added. */
int engine_words_split(struct engine_words *words, const char *line);

/* Whether it is the same to a shell with and without quotes. */
bool is_plain_word(const char *word);

/* Appends a command; the words become its own. `host`: the only one that it reaches; NULL: several. */
void engine_plan_add(struct engine_plan *plan, struct engine_words *words, const char *host);

/* -- engine_environment.c -- The environment of an engine. Variables that a launcher sets for a rank, or a scheduler
 * for a batch script, are meant for programs of that job: a second launcher would take itself for one of these, or
 * request the job's resources again.
 */

/* This process's environment without that, with `more` ("NAME=VALUE", `more_count` of them) in the place of variables
 * of the same name. Ends with NULL. */
char **engine_environment(const char *const *more, size_t more_count);

/* -- host_index.c --
 * Finds names in a list of many hosts, whatever the list's length.
 */

/* Finds hosts in a list that does not change meanwhile. */
struct host_index {
    const struct host_list *list;
    size_t *places; /* by the name without domain, then as they were said */
};

struct host_index host_index_make(const struct host_list *list);
/* As host_list_find(). */
size_t host_index_find(const struct host_index *index, const char *name);

/* -- engine_reason.c -- Translates complaints of engines about unreachable hosts into words for people.
 */

/* The host that the line is about, by its place in the list; the list's count: none of these. */
size_t engine_reason_host(const struct host_index *hosts, const char *line);

/* How much a line tells. */
enum engine_reason_worth {
    REASON_NONE,   /* nothing */
    REASON_STATUS, /* that something has failed: "exited with exit code 255" */
    REASON_WORDS,  /* why */
    REASON_MISSING /* the command is not there */
};

/* The reason in a line about `host` (NULL: not known), without what labels it: "ssh: No route to host". `command` is
 * the program that was to be run there. The caller frees *ret_reason, unless there is none. */
enum engine_reason_worth engine_reason_of(const char *line, const char *host, const char *command, char **ret_reason);

/* -- engine_table.c --
 * How each engine is called. For engine*.c only; `engine->plan` of the table.
 */

/* Seconds that ssh waits for a host that does not answer, and the most hosts that each engine reaches at once. */
enum { CONNECT_SECONDS = 5, MOST_SSH = 64, MOST_CLUSH = 512, MOST_HYDRA = 1000 };
/* Options that keep ssh from asking anything, and from waiting for a host that is gone. */
#define SSH_OPTIONS                                                                                                    \
    "-oBatchMode=yes", "-oConnectTimeout=5", "-oServerAliveInterval=5", "-oServerAliveCountMax=2", "-oLogLevel=ERROR"

int plan_slurm(const char *program, const struct engine_task *task, struct engine_plan *plan,
               struct reason *ret_reason);
int plan_ssh(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason);
int plan_clush(const char *program, const struct engine_task *task, struct engine_plan *plan,
               struct reason *ret_reason);
int plan_pdsh(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason);
int plan_hydra(const char *program, const struct engine_task *task, struct engine_plan *plan,
               struct reason *ret_reason);
int plan_words(const char *program, const struct engine_task *task, struct engine_plan *plan,
               struct reason *ret_reason);

/* -- job_hosts.c -- The hosts of a job, by what its launcher and its ranks on this host say: the launcher's table
 * (MPIR_proctable), Slurm, the node list that Open MPI gives its daemons, the ssh processes that the launcher has
 * started, or the words of its command line. All of this counts as names only.
 */

/* Zero-initialised: nothing is known. */
struct job_hosts {
    struct host_list hosts;    /* none: not known here */
    const char *slurm_job;     /* its number; NULL: it is no job of Slurm */
    int slurm_components;      /* of a heterogeneous one; 0: it is none */
    const char *launcher_host; /* where more is known: the launcher runs there, not here; NULL: not known, or here */
};

/* The hosts of a job whose `rank` (0: none) and `launcher` (0: none) are processes of this host. `proc` is "/proc" but
 * in tests. */
struct job_hosts job_hosts_find(const char *proc, pid_t rank, pid_t launcher);

/* Whether this is the number of a job of Slurm, "8", or of an array or heterogeneous one, "8_3", "8+1". */
bool is_slurm_job(const char *text);

/* For tests: the host that the command line of ssh or rsh names, NUL-terminated words of `bytes` bytes. NULL: none. */
const char *find_ssh_host(const char *command, size_t bytes);

#endif
