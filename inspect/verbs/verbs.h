/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One file for each verb; options; starting over without a process that blocks.
 */
#ifndef MPILENS_INSPECT_VERBS_VERBS_H
#define MPILENS_INSPECT_VERBS_VERBS_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* -- start_over.c -- Starts the command over if reading a process never ends.
 */

/* Starts the command over from now on, if a process blocks it, and then leaves the memory of that process alone; for
 * verbs that only read. `arguments`: as given to main(). */
void start_over_where_blocked(char **arguments);
/* Before something is read from standard input: it is there again for who starts over. 0, or -1: it cannot be read, as
 * errno says. */
int start_over_keep_input(void);
/* Something has been printed: from now on the command ends with a message and EXIT_UNREADABLE instead. */
void start_over_no_more(void);

/* -- verb_table.c --
 * The verbs by their names.
 */

struct verb {
    const char *name;
    const char *summary; /* NULL: mpilens itself uses it on other hosts */
    enum exit_status (*function)(int argument_count, char **arguments);
    bool only_reads;
};

/* Those of verbs.def. */
extern const struct verb verbs[];
extern const size_t verb_count;

/* NULL: there is none. */
const struct verb *verb_find(const char *name);
/* Puts the verb in the place of a synonym, such as ps for list, in arguments as given to main(). */
void verb_expand(int *argument_count, char ***arguments);
/* The name of the one that was probably meant; NULL: none is like it. */
const char *verb_find_similar(const char *name);

/* -- verb_refuse.c -- Answers command lines without a verb.
 */

/* Says what was probably meant: another verb, or to start or read what the first word names. `words`: the command line
 * from that word on; ends with NULL. Returns EXIT_USAGE. */
enum exit_status verb_refuse(char *const *words);

/* The verbs of the command. Each takes its own arguments, the verb first, and returns the exit status; verb_gdb returns
 * only where gdb is not started, verb_guard may return the exit status of the job. */

#define VERB(name, only_reads, summary) enum exit_status verb_##name(int argument_count, char **arguments);
#define OWN_VERB(name, only_reads)      VERB(name, only_reads, NULL)
#include "verbs/verbs.def"

/* For shells and the build: about the other verbs. */
enum exit_status verb_complete(int argument_count, char **arguments);
enum exit_status verb_tables(int argument_count, char **arguments);

/* -- version.c -- The output of mpilens --version.
 */

/* The commit that this command was built from, such as v0.1.0-12-g0123456; empty: not known. */
extern const char version_commit[];

/* Version and commit, the layout that it reads, its debugger library and its runtimes. */
void version_print(void);

#endif
