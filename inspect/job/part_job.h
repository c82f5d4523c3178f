/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job of which hosts have sent their parts, in one round or two.
 */
#ifndef MPILENS_INSPECT_JOB_PART_JOB_H
#define MPILENS_INSPECT_JOB_PART_JOB_H

#include "base/reason.h"
#include "collect/collect.h"
#include "model/model.h"
#include "part/part_reader.h"

/* A host that has not answered. */
struct lost_host {
    char *name;
    char *reason; /* "No route to host" */
};

/* Zero-initialised, then begun. */
struct part_job {
    struct job rounds[MOST_ROUNDS];
    size_t parts[MOST_ROUNDS]; /* that were added */
    struct lost_host **lost;   /* in the order in which they were noted */
    size_t lost_count;
    void *lost_by_name; /* tsearch, of the same */
};

void part_job_begin(struct part_job *parts);
/* Adds a part, whose bytes it takes. A host whose part is damaged or is of another job becomes a lost one. */
void part_job_add(struct part_job *parts, const struct dll *dll, const struct collect_plan *plan,
                  struct received_part *received);
/* Adds all that have come whole since. */
void part_job_take(struct part_job *parts, const struct dll *dll, const struct collect_plan *plan,
                   struct part_reader *reader);
/* Notes that the host has not answered, as who asked it knows. The first reason counts. */
void part_job_lose_host(struct part_job *parts, const char *host, const char *reason);
/* NULL: it is not a lost one. */
const char *part_job_lost_reason(const struct part_job *parts, const char *host);
/* Notes all hosts of the reader that have begun to answer in the round, or in an earlier one, and are not whole. */
void part_job_lose_torn(struct part_job *parts, const struct part_reader *reader, int round);

/* Puts the job together from the parts of round 2. With those of round 1, a rank stands still that was the same in
 * both; the second round must have begun when the first was over. `hosts`: where each rank runs, by rank, as far as is
 * known (a launcher's table; NULL: nothing is). Ranks of hosts that are lost are unread with the host's reason.
 * EXIT_GOOD and a job to be cleared, or EXIT_UNREADABLE: no rank was read, and the reason. The parts are cleared. */
int part_job_finish(struct part_job *parts, const struct dll *dll, enum collect_depth depth, char *const *hosts,
                    size_t host_count, struct job *ret_job, struct reason *ret_reason);
void part_job_clear(struct part_job *parts);

#endif
