/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which job is meant, and on which hosts it runs.
 */
#ifndef MPILENS_INSPECT_GATHER_WIDE_JOB_H
#define MPILENS_INSPECT_GATHER_WIDE_JOB_H

#include "base/reason.h"
#include "collect/dll.h"
#include "engine/job_hosts.h"

#include <sys/types.h>

/* What the user has said. */
struct wide_job_request {
    char **targets; /* none, or one that is the PID of a rank or launcher; all else is of this host */
    size_t target_count;
    const char *hosts;     /* a list of hosts; NULL: the job's */
    const char *slurm_job; /* NULL: that of the job, if any */
    bool rank_is_alone;    /* a rank that is named does not stand for its job */
};

struct wide_job {
    struct job_hosts where;
    char *identity;    /* NULL: it is not known here */
    char **rank_hosts; /* where each rank runs, by rank; NULL: not known */
    size_t rank_host_count;
};

enum wide_job_status {
    WIDE_JOB_HERE,  /* what is meant is all on this host, or cannot be found: as if there were no others */
    WIDE_JOB_HOSTS, /* `ret_job` has the hosts */
    WIDE_JOB_ERROR, /* the reason says what is wrong */
};

enum wide_job_status wide_job_find(const struct dll *dll, const struct wide_job_request *request,
                                   struct wide_job *ret_job, struct reason *ret_reason);
/* The hosts of the job with this identity, as they are known on this host. False: they are not. */
bool wide_job_find_hosts(const struct dll *dll, const char *identity, struct host_list *ret_hosts);
/* The only job of this user on this host, of those that `slurm_job` is (NULL: of all): a process that stands for it. 1,
 * or 0: there is none, or -1 and a reason: there are several. */
int wide_job_find_only(const struct dll *dll, const char *slurm_job, pid_t *ret_pid, struct reason *ret_reason);
void wide_job_clear(struct wide_job *job);

#endif
