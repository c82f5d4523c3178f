/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job from the lines that hosts have written (`mpilens part`), whoever has brought them here.
 */
#ifndef MPILENS_INSPECT_JOB_READ_PART_LINES_H
#define MPILENS_INSPECT_JOB_READ_PART_LINES_H

#include "base/exit_status.h"
#include "collect/collect.h"
#include "job/part_job.h"
#include "model/model.h"

#include <stdio.h>

/* Whether the file has such lines, as its beginning shows; "-" is standard input, and has. */
bool has_part_lines(const char *path);

/* As read_job. Hosts that have begun to answer and have not done so wholly are lost ones. */
enum exit_status read_part_lines(const struct dll *dll, const char *path, const struct collect_plan *plan,
                                 struct job *ret_job, struct reason *ret_reason);

/* Reads all lines of a stream; what is whole is added while it is read. 0, or -1 and errno. */
int take_part_lines(const struct dll *dll, FILE *stream, const struct collect_plan *plan, struct part_reader *reader,
                    struct part_job *parts);

#endif
