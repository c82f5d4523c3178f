/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model on standard output.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_H

#include "base/rank_set.h"
#include "model/model.h"
#include "words/describe.h"

#include <stdio.h>

struct render_options {
    struct rank_set ranks; /* to show */
    bool color;
    bool all;     /* nothing merged, nothing cut */
    bool objects; /* all of them, not only their numbers */
    bool stack;   /* the call stacks of all threads */
    bool verbose; /* each rank, not only jobs */
};

/* Both return 0, or -1 when writing failed. */
int render_show_text(FILE *stream, const struct job *job, const struct render_options *options);
int render_list_text(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options);
int render_show_json(FILE *stream, const struct job *job, const struct render_options *options);
int render_list_json(FILE *stream, const struct job *jobs, size_t job_count, const struct render_options *options);
/* Without what the processes have: of which job a snapshot was taken. */
int render_snapshot_json(FILE *stream, const struct job *job, const struct render_options *options);

/* The call stacks of all threads as one tree. 0, or -1 when writing failed. */
int render_stacks(FILE *stream, const struct job *job, const struct render_options *options);

/* For render_*.c only: the header line of a job, and the sections of the text of `show` below the calls. */
void render_header(FILE *stream, const struct job *job, const struct render_options *options);
/* Why places have no source lines, below everything else. */
void render_hints(FILE *stream, const struct job *job);
int render_queues(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                  const struct render_options *options);
int render_requests(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                    const struct render_options *options);
int render_objects(FILE *stream, const struct job *job, const struct render_options *options);
int render_collectives(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                       const struct render_options *options);

#endif
