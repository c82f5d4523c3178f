/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings for programs that read: compilers' messages, annotations and reports of CI, test results.
 */
#ifndef MPILENS_INSPECT_RENDER_MACHINE_MACHINE_H
#define MPILENS_INSPECT_RENDER_MACHINE_MACHINE_H

#include "analysis/analysis.h"
#include "base/base.h"
#include "model/model.h"
#include "render/text/render_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* -- machine.c --
 * The formats, in which each is written, and the one that a file's name asks for.
 */

/* All that a format may say of a job. */
struct machine_verdict {
    const char *verb; /* "why", "guard", "leaks" */
    const struct job *job;
    const struct findings *findings;
    const struct analysis *analysis; /* of these; NULL: they are leaks */
    const struct leaks *leaks;       /* NULL: the verb has none */
    const struct render_options *options;
    const char *name;    /* of the test that the job is; NULL: its command */
    const char *failure; /* why the run was no success although nothing was found; NULL: it was one */
    double elapsed_s;    /* that the run took; -1: not known */
};

struct machine_format {
    const char *name;   /* "junit" */
    const char *suffix; /* of files that are in it, ".xml"; NULL: none asks for it */
    const char *meaning;
    /* 0, or -1 and errno. NULL: only machine_write_file() writes it. */
    int (*write)(FILE *stream, const struct machine_verdict *verdict);
};

/* NULL: there is none of this name that can go to a stream. */
const struct machine_format *machine_format_find(const char *name);
/* The names of these, "text, json, ... and markdown"; in the arena. */
const char *machine_format_names(void);

/* A file to write, and in which format. */
struct machine_file {
    const struct machine_format *format;
    const char *path;
};

/* Takes "FILE" or "FORMAT:FILE" apart. 0, or -1 and a reason. */
int machine_file_parse(const char *text, struct machine_file *ret_file, struct reason *ret_reason);
/* The suffixes, for the help; in the arena. */
const char *machine_file_suffixes(void);
/* Replaces the file at `path`, which is named as the file or like it. 0, or -1 and a reason. */
int machine_file_write(const struct machine_file *file, const char *path, const struct machine_verdict *verdict,
                       struct reason *ret_reason);

/* 0, or -1 and errno. */
int machine_write(FILE *stream, const struct machine_format *format, const struct machine_verdict *verdict);

/* -- machine_ci.c --
 * Tells the CI that this is a job of, by its environment, without being asked to.
 */

/* With GitHub's: annotations on `stream`, unless `has_annotations`, and Markdown at the end of the step's summary. With
 * GitLab's: a Code Quality report. Nothing without a finding, and where MPILENS_CI is "none". A failure is told on
 * `stream`. */
void machine_ci_tell(FILE *stream, const struct machine_verdict *verdict, bool has_annotations);

/* -- machine_metrics.c --
 * The jobs of a host as OpenMetrics.
 */

/* 0, or -1 and errno. */
int machine_metrics_write(FILE *stream, const struct job *jobs, size_t job_count);

#endif
