/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups processes into jobs by the identity that their runtimes have noted.
 */
#include "job/job.h"

#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "n01" of what was noted of a process of that host, else NULL. */
static const char *find_host(const char *identity)
{
    const char *host = strstr(identity, " started ") != NULL ? strstr(identity, " on ") : NULL;
    return host != NULL ? host + strlen(" on ") : NULL;
}

/* Which nobody has launched. */
static bool is_of_one_process(const char *identity)
{
    return strncmp(identity, "process ", strlen("process ")) == 0;
}

static void replace(char *text, char old, char new)
{
    for (; *text != '\0'; text++)
        if (*text == old)
            *text = new;
}

char *write_identity_word(const char *identity)
{
    char *word = copy_text(identity);
    replace(word, ' ', ',');
    return word;
}

/* Pids have no comma, and files that have one are there. */
bool read_identity_word(char *target)
{
    if (strchr(target, ' ') == NULL && strchr(target, ',') != NULL && access(target, F_OK) != 0)
        replace(target, ',', ' ');
    return strchr(target, ' ') != NULL;
}

bool identities_differ(const char *left, const char *right)
{
    const char *left_host = find_host(left), *right_host = find_host(right);
    if (left[0] == '\0' || right[0] == '\0' || strcmp(left, right) == 0)
        return false;
    if (is_of_one_process(left) || is_of_one_process(right))
        return true;
    return left_host == NULL || right_host == NULL || strcmp(left_host, right_host) == 0;
}

bool find_strangers(const struct job *job, const struct process **ret_one, const struct process **ret_other)
{
    const struct process *one = NULL;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->reason != NULL || process->job_identity[0] == '\0')
            continue;
        if (one == NULL)
            one = process;
        if (!identities_differ(one->job_identity, process->job_identity))
            continue;
        *ret_one = one;
        *ret_other = process;
        return true;
    }
    return false;
}

/* The caller frees it; NULL: not known, and *ret_reason says why where a process has a runtime. */
static char *read_identity(const struct dll *dll, const struct found_job *found, struct reason *ret_reason)
{
    const struct collect_plan plan = {.depth = COLLECT_PROCESS};
    char *identity = NULL;
    for (size_t i = 0; i < found->rank_count && identity == NULL; i++) {
        if (!found->ranks[i].has_runtime && !found->ranks[i].has_mpi)
            continue;
        struct job one = {.size = -1};
        add_live_process(&one, found->ranks[i].pid, found->ranks[i].rank);
        read_processes(dll, &one, false, &plan);
        if (one.processes[0].job_identity[0] != '\0')
            identity = copy_text(one.processes[0].job_identity);
        else if (one.processes[0].reason != NULL && still_has_runtime("/proc", &found->ranks[i]))
            reason_set(ret_reason, "%s", one.processes[0].reason);
        job_clear(&one);
    }
    return identity;
}

/* Many processes may have no launcher: only those with the same identity are of one job. */
void join_jobs(struct found_jobs *jobs, char *const *identities)
{
    bool *is_joined = allocate((jobs->count + 1) * sizeof *is_joined);
    for (size_t i = 0; i < jobs->count; i++) {
        size_t host = 0;
        if (jobs->items[i].launcher_pid != 0 || identities[i] == NULL)
            continue;
        while (host < jobs->count && (host == i || is_joined[host] || identities[host] == NULL ||
                                      strcmp(identities[host], identities[i]) != 0))
            host++;
        if (host == jobs->count)
            continue;
        found_job_join(&jobs->items[host], &jobs->items[i]);
        is_joined[i] = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < jobs->count; i++)
        if (!is_joined[i])
            jobs->items[kept++] = jobs->items[i];
    jobs->count = kept;
    free(is_joined);
}

struct found_jobs find_jobs(const struct dll *dll, uid_t user)
{
    struct found_jobs jobs = discover_jobs("/proc", user);
    size_t alone = 0;
    for (size_t i = 0; i < jobs.count; i++)
        alone += jobs.items[i].launcher_pid == 0;
    if (alone == 0 || jobs.count < 2)
        return jobs;
    char **identities = allocate(jobs.count * sizeof *identities);
    const size_t count = jobs.count;
    struct reason reason;
    for (size_t i = 0; i < count; i++)
        identities[i] = read_identity(dll, &jobs.items[i], &reason);
    join_jobs(&jobs, identities);
    for (size_t i = 0; i < count; i++)
        free(identities[i]);
    free(identities);
    return jobs;
}

bool find_job_with_identity(const struct dll *dll, struct found_jobs *jobs, const char *identity,
                            const struct found_job **ret_job, struct reason *ret_unread)
{
    struct found_job *first = NULL;
    ret_unread->text[0] = '\0';
    for (size_t i = 0; i < jobs->count; i++) {
        char *own = read_identity(dll, &jobs->items[i], ret_unread);
        const bool is_it = own != NULL && strcmp(own, identity) == 0;
        free(own);
        if (is_it && first != NULL) {
            found_job_join(first, &jobs->items[i]);
            jobs->items[i--] = jobs->items[--jobs->count];
        } else if (is_it) {
            first = &jobs->items[i];
        }
    }
    *ret_job = first;
    return first != NULL;
}
