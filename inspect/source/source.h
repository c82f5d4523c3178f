/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The source lines that a verdict names.
 */
#ifndef MPILENS_INSPECT_SOURCE_SOURCE_H
#define MPILENS_INSPECT_SOURCE_SOURCE_H

#include "analysis/findings/findings.h"
#include "base/base.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* -- source_file.c -- Reads source files. Their names come from the debug information of programs, which may name any
 * file of the host, whatever its author wants to see.
 *
 * Only regular files are opened, only their first megabytes are read, and a file system that does not answer within
 * seconds is left alone. Users other than root see what they may read themselves, as in a debugger. Root may read
 * everything: root sees a file only if the file belongs to the user of the living process that names it, which is
 * in no container, or if everybody may read the file and go into the directories above it; and none that the kernel
 * makes up
 * (/proc, /sys). So no program can bring a file into root's output
 * that its own user must not read.
 */

struct source_query {
    const char *path;   /* as the compiler was given it */
    const char *root;   /* below which the process sees its files, "/proc/4711/root"; NULL: it is not known to live */
    const char *module; /* that has the place; NULL: the source is not compiled into one, as with Python */
    const char *const *directories; /* where the file is looked for if it is not there, with as much of its path as is
                                       there */
    size_t directory_count;
    uid_t user; /* of the process, where `root` is known */
    bool is_by_root;
};

enum source_state {
    SOURCE_READ,
    SOURCE_MISSING,
    SOURCE_UNREADABLE, /* see `error`; 0: it is no regular file */
    SOURCE_WITHHELD,   /* root must not be led to show it */
    SOURCE_SILENT,     /* the file system does not answer */
};

struct source_file {
    enum source_state state;
    int error;
    const char *path; /* that was found, without the root; else as it was asked for */
    const char *text;
    size_t bytes;
    bool is_cut;             /* it is longer */
    struct timespec changed; /* the file */
    struct timespec built;   /* the module; 0: not known */
    bool is_of_directory;    /* it was found in one of the directories, perhaps as a copy with a time of its own */
};

struct source_file source_file_read(const struct source_query *query);

/* -- source_lines.c --
 * Cuts lines out of a text, for people.
 */

struct source_line {
    int number;
    const char *text; /* escaped, without tabs */
};

/* Lines around one. Texts are in the arena in use. */
struct source_lines {
    struct source_line *items;
    size_t count;
    size_t named;                /* the number of the line in question among them */
    size_t mark, mark_bytes;     /* the called name, or else the first character, in its text; none: 0 bytes */
    size_t column, mark_columns; /* the same in columns of a terminal */
};

/* `line` with lines before and after it; blank ones at the beginning and the end are left out. `called`: the function
 * that is called there: "MPI_Send", "ns::solve(int)", or NULL; in the line it may have any case, and the name of a
 * method, "comm.send". False: the text has no such line. */
bool source_lines_take(const char *text, size_t bytes, int line, int before, int after, const char *called,
                       struct source_lines *ret_lines);
/* The `columns` columns of such a text behind the first `skipped`, with dots where something is left out. */
const char *source_line_part(const char *text, size_t skipped, size_t columns);

/* -- source_excerpts.c --
 * Chooses the lines of a finding.
 */

/* Zero-initialised: lines are shown, from where the programs were compiled. */
struct source_options {
    bool is_off;
    const char **directories; /* of --source, into the arguments */
    size_t directory_count;
};

/* A place, or why it is not shown. */
struct source_excerpt {
    const char *note;                /* "heat.c has changed since heat was built"; NULL: the lines are known */
    const char *place;               /* "heat.c:29", with the directory if that is not below the current one */
    const struct evidence *evidence; /* the first one that names it */
    struct ranks merged;             /* of several ones, if their ranks differ */
    struct source_lines lines;
};

/* Finished, as long as the finding lasts. */
const struct ranks *source_excerpt_ranks(const struct source_excerpt *excerpt);

struct source_excerpts {
    struct source_excerpt *items;
    size_t count;
};

/* The evidence at whose place a finding is best pointed out: a culprit's first, of no library; NULL: none has a line.
 */
const struct evidence *source_main_evidence(const struct finding *finding);

/* Whether the place of the evidence has a line, and is of no library. */
bool source_has_line(const struct evidence *evidence);

struct source_view; /* the places and files that a verdict has shown so far */

struct source_view *source_view_begin(const struct job *job, const struct source_options *options);
/* Some places of the finding that no finding before has named, the culprits' first; none in libraries. With `before`
 * and `after` lines around each. */
struct source_excerpts source_view_take(struct source_view *view, const struct finding *finding, int before, int after);

#endif
