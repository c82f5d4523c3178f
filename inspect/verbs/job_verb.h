/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps that the verbs about one job share: reading it, looking for the ranks of --rank, saying why it cannot be read,
 * and clearing up.
 */
#ifndef MPILENS_INSPECT_VERBS_JOB_VERB_H
#define MPILENS_INSPECT_VERBS_JOB_VERB_H

#include "base/exit_status.h"
#include "model/model.h"
#include "verbs/options.h"

struct job_verb {
    const char *description; /* first line of the help */
    const char *more;        /* what stands below the options */
    unsigned options;        /* enum option_groups, with OPTIONS_TARGETS; with OPTIONS_SAMPLES the job is sampled */
    bool stacks_suffice;     /* it has something to say of processes that lack tables */
    /* With OPTIONS_SAMPLES: see struct sample_plan; NULL: never. Not asked where the user has said the interval. */
    bool (*is_settled)(const struct options *options, const struct job *job);
    enum exit_status (*on_job)(const struct options *options, const struct job *job);
};

/* Runs the verb: its own exit status, or that of reading the job. */
enum exit_status job_verb_run(const struct job_verb *verb, int argument_count, char **arguments);

/* Says on standard error what is odd about how the job was started, or how its parts fit together. */
void say_about_job(const struct job *job);

#endif
