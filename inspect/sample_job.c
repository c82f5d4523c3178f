/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a job several times.
 */
#include "sample_job.h"

#include "analysis/progress.h"
#include "places.h"
#include "spawned.h"

#include <errno.h>
#include <time.h>

static bool is_alive(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->snapshot == NULL && job->processes[i].core == NULL && job->processes[i].target != NULL)
            return true;
    return false;
}

static void wait_between(double seconds)
{
    struct timespec left = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

enum exit_status sample_job(const struct dll *dll, const struct job_request *request, int samples, double interval_s,
                            struct sampled_job *ret_sampled, struct reason *ret_reason)
{
    struct sampled_job sampled = {.has_before = false};
    struct job_request first = *request;
    if (samples > 1)
        first.plan.depth = COLLECT_SAMPLE;
    enum exit_status status = read_job(dll, &first, &sampled.job, ret_reason);
    if (status != EXIT_GOOD)
        return status;
    if (samples < 2 || !is_alive(&sampled.job)) {
        if (samples > 1)
            job_resolve_sites(&sampled.job);
        job_resolve_completed_sites(&sampled.job);
        job_find_places(&sampled.job, NULL);
        job_find_spawned(&sampled.job, NULL);
        if (sampled.job.snapshot == NULL) /* which knows from when it was taken */
            progress_of_one(&sampled.job);
        *ret_sampled = sampled;
        return EXIT_GOOD;
    }
    job_note_activity(&sampled.job);
    job_find_spawned(&sampled.job, NULL);
    sampled.before = sampled.job;
    sampled.has_before = true;
    for (int i = 1; i < samples && status == EXIT_GOOD; i++) {
        if (i > 1)
            job_clear(&sampled.job);
        wait_between(interval_s);
        status = read_job(dll, i + 1 < samples ? &first : request, &sampled.job, ret_reason);
    }
    if (status != EXIT_GOOD) {
        job_clear(&sampled.before);
        return status;
    }
    job_resolve_completed_sites(&sampled.job);
    job_find_places(&sampled.job, &sampled.before);
    job_find_spawned(&sampled.job, &sampled.before);
    progress_between(&sampled.before, &sampled.job, samples, interval_s);
    *ret_sampled = sampled;
    return EXIT_GOOD;
}

void sampled_job_clear(struct sampled_job *sampled)
{
    job_clear(&sampled->job);
    if (sampled->has_before)
        job_clear(&sampled->before);
}
