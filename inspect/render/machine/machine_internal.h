/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of render/machine/ only.
 */
#ifndef MPILENS_INSPECT_RENDER_MACHINE_MACHINE_INTERNAL_H
#define MPILENS_INSPECT_RENDER_MACHINE_MACHINE_INTERNAL_H

#include "render/machine/machine.h"

#include <stdint.h>

/* -- machine_place.c --
 * Places as machines want them: files seen from the root of a project. Texts are in the arena.
 */

struct machine_place {
    const char *path;     /* NULL: not known */
    int line;             /* 0: the path is the program's */
    const char *function; /* NULL: not known */
};

/* The directory that paths of CI are relative to: the checkout, else the current one. */
const char *machine_root(void);
/* The current directory, as compilers have it. */
const char *machine_here(void);

/* Where the finding is best pointed out; without any line, the program of a rank. */
struct machine_place machine_place_of_finding(const struct machine_verdict *verdict, const struct finding *finding,
                                              const char *root);
/* The place of evidence; no path where it has no line, or is of a library. */
struct machine_place machine_place_of_evidence(const struct evidence *evidence, const char *root);

/* The path from the root, without "." and ".."; absolute where it is not below. */
const char *machine_path(const char *path, const char *root);
/* Such a path as a reference of RFC 3986. */
const char *machine_uri(const char *path);

/* Names the finding to whoever compares runs: equal for the same fault at the same place, whatever its ranks, and
 * unique among the findings of a verdict. 16 hexadecimal digits. */
const char *machine_fingerprint(const struct machine_verdict *verdict, size_t number);

/* -- machine_sentences.c --
 * Sentences that several formats have.
 */

/* Without control characters, which some readers of documents obey. */
const char *machine_clean(const char *text);
/* "deadlock: ranks [0,1] wait for each other: ..." */
const char *machine_headline(const struct finding *finding);
/* "rank 1: in MPI_Recv(...) (ring.c:23 main)"; the place where `has_site`. */
const char *machine_evidence(const struct evidence *evidence, bool has_site);
/* Further evidence that a finding does not list; NULL: none. */
const char *machine_more_evidence(const struct finding *finding);
/* Says how a verdict without findings ends. */
const char *machine_outcome(const struct machine_verdict *verdict);
/* Which ranks could not be read, so that nothing is known about them; NULL: none. */
const char *machine_unread(const struct machine_verdict *verdict);
/* How the job is called. */
const char *machine_name(const struct machine_verdict *verdict);
/* All that the verb says to people, without colors. */
const char *machine_plain_text(const struct machine_verdict *verdict);

/* -- machine_lines.c, machine_gitlab.c, machine_sarif.c, machine_junit.c, machine_markdown.c --
 * A format each, or two. 0, or -1 and errno.
 */

int machine_write_gcc(FILE *stream, const struct machine_verdict *verdict);
int machine_write_github(FILE *stream, const struct machine_verdict *verdict);
int machine_write_gitlab(FILE *stream, const struct machine_verdict *verdict);
int machine_write_sarif(FILE *stream, const struct machine_verdict *verdict);
int machine_write_junit(FILE *stream, const struct machine_verdict *verdict);
int machine_write_markdown(FILE *stream, const struct machine_verdict *verdict);

#endif
