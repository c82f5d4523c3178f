/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which processes are of one job by what their runtimes have noted of it (layout.def: job_identity).
 */
#ifndef MPILENS_INSPECT_JOB_JOB_IDENTITY_H
#define MPILENS_INSPECT_JOB_JOB_IDENTITY_H

#include "collect/dll.h"
#include "discover/discovery.h"
#include "model/model.h"

/* An identity as one word, which no shell takes apart: commas are in the place of blanks. The caller frees it. */
char *write_identity_word(const char *identity);
/* Whether a target is an identity, of several words or written as one; then it has blanks again. */
bool read_identity_word(char *target);

/* The ranks on this host of the job with this identity, as one job. False: there are none; *ret_unread is why some
 * could not be asked, empty: all were. */
bool find_job_with_identity(const struct dll *dll, struct found_jobs *jobs, const char *identity,
                            const struct found_job **ret_job, struct reason *ret_unread);

/* discover_jobs of /proc, where ranks that no launcher is above any more (it was killed, or they have left it) are put
 * together with those that have the same identity. */
struct found_jobs find_jobs(const struct dll *dll, uid_t user);

/* Puts the jobs without a launcher together with the first job that has the same identity: identities[i] is that of
 * jobs->items[i], NULL where it is not known. */
void join_jobs(struct found_jobs *jobs, char *const *identities);

/* Whether these cannot be of one job. Not known ("") and launchers of different hosts never contradict. */
bool identities_differ(const char *left, const char *right);

/* Two processes of the job whose identities differ. False: there are none. */
bool find_strangers(const struct job *job, const struct process **ret_one, const struct process **ret_other);

#endif
