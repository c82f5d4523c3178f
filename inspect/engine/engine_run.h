/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the commands of an engine: starts them, gives all of them the same standard input, takes their output line by
 * line, and ends them. Nothing here waits for longer than it is told to, whatever the commands do or do not do: output
 * without end, half a line, nothing at all.
 *
 * Each command is the leader of a session of its own, so that it has no terminal to ask for a password and gets no
 * signal of the terminal. What it has started ends with it. If this process is killed, the kernel ends the commands;
 * what they have started elsewhere notices that its standard input has ended.
 *
 * From engine_run_begin() to engine_run_end(), the signals that end this process (HUP, INT, QUIT, TERM) wait;
 * engine_run_end() lets them through. Those that were blocked before interrupt nothing.
 */
#ifndef MPILENS_INSPECT_ENGINE_ENGINE_RUN_H
#define MPILENS_INSPECT_ENGINE_ENGINE_RUN_H

#include "base/reason.h"

#include <stdbool.h>
#include <stddef.h>

struct engine_command {
    char **arguments; /* ends with NULL; the first is searched for as a shell does */
    char *host;       /* the only host that it reaches; NULL: several */
    int *outputs;     /* numbers above 2: it writes to files that are open under these, too */
    size_t output_count;
};

/* What is told of the commands, by their number; what comes from further outputs is told as output. A line has no line
 * break; of one that is too long, nothing is told. */
struct engine_listener {
    void (*on_output)(void *context, size_t command, const char *line);
    void (*on_error)(void *context, size_t command, const char *line);
    void (*on_end)(void *context, size_t command, int status); /* as of waitpid; all lines came before */
    void *context;
};

struct engine_run;

/* Starts the first `most_at_once` commands, the others as those end. `commands` and what they point to stay the
 * caller's and must stay there; `environment` too. 0, or -1 and a reason. */
int engine_run_begin(const struct engine_command *commands, size_t count, size_t most_at_once, char **environment,
                     const struct engine_listener *listener, struct engine_run **ret_run, struct reason *ret_reason);

/* Tells the listener what there is; waits for something to tell, at most until `until_s` (CLOCK_MONOTONIC). False: all
 * commands have ended, or a signal has come that ends this process. */
bool engine_run_wait(struct engine_run *run, double until_s);
/* Whether such a signal has come. */
bool engine_run_is_interrupted(const struct engine_run *run);

/* Adds to the standard input of all commands, also of those that have not been started yet. */
void engine_run_say(struct engine_run *run, const char *bytes, size_t count);
/* After what was said their standard input ends. */
void engine_run_say_no_more(struct engine_run *run);

/* Ends what is left of the commands, and frees the run. Returns when all are gone, or do not go. */
void engine_run_end(struct engine_run *run);

#endif
