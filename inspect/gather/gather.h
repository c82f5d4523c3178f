/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job on all its hosts: lets an engine run `mpilens part` there, in one round or two, and puts together what
 * comes back.
 *
 * Two rounds, one cut: the second round begins when the last host has answered in the first, or was given up. Then all
 * ranks that stood still between their two readings did so at one common moment, without any clock.
 */
#ifndef MPILENS_INSPECT_GATHER_GATHER_H
#define MPILENS_INSPECT_GATHER_GATHER_H

#include "base/exit_status.h"
#include "collect/collect.h"
#include "engine/engine.h"
#include "model/model.h"

struct gather_request {
    const struct host_list *hosts;
    const char *identity;        /* of the job; NULL: the only one of this user on each host, or of slurm_job */
    const char *slurm_job;       /* NULL: it is none of Slurm */
    int slurm_components;        /* of a heterogeneous one; 0: it is none */
    const struct engine *engine; /* NULL: which suits */
    const char *engine_words;    /* of engine_of_words */
    double timeout_s;            /* for all */
    double interval_s;           /* between the rounds */
    bool ship;                   /* mpilens is sent to hosts that do not have it */
    bool two_rounds;
    bool stop; /* freeze the ranks of each host while they are read */
    bool stacks;
    bool full; /* with what handles need */
    struct collect_plan plan;
    char *const *rank_hosts; /* where each rank runs, by rank; NULL: not known */
    size_t rank_host_count;
    size_t *lost; /* how many hosts have not answered goes there, also where nothing was read; NULL: nowhere */
    const char *const *more_words; /* of `mpilens part`, ends with NULL; NULL: none */
    void (*on_lost)(void *context, const char *host, const char *reason); /* of each such host; NULL: nobody is told */
    void *context;
};

/* EXIT_GOOD and a job to be cleared, of which at least one rank was read and whose notes say which hosts have not
 * answered; or EXIT_UNREADABLE or EXIT_USAGE and a reason. */
enum exit_status gather_job(const struct dll *dll, const struct gather_request *request, struct job *ret_job,
                            struct reason *ret_reason);

#endif
