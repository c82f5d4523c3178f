/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks squeue.
 */
#include "gather/gather.h"

#include "base/base.h"
#include "engine/engine.h"
#include "launch/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A controller that is busy takes seconds. */
static const double patience_s = 10;

/* Its own number; the number of its array or heterogeneous job, with a task or component; its hosts. */
static const char columns[] = "%A %i %N";

/* The columns of `format`, a line for each job. The caller frees it; NULL: not known. */
static char *ask(const char *option, const char *value, const char *format)
{
    bool exists;
    char *squeue = search_program("squeue", &exists);
    if (squeue == NULL)
        return NULL;
    char *const command[] = {squeue,        (char *)"-h", (char *)"-t",   (char *)"R", (char *)option,
                             (char *)value, (char *)"-o", (char *)format, NULL};
    char *answer = engine_ask(command, patience_s);
    free(squeue);
    return answer;
}

/* "8 8 n[1-3]", a line alone; or "8 8+0 n1" and "9 8+1 n[2-3]", the components of a heterogeneous job. Changes the
 * text. */
static bool read_job(char *text, struct job_hosts *ret_hosts)
{
    struct job_hosts hosts = {.slurm_job = NULL};
    bool is_good = text[0] != '\0';
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && is_good; line = strtok_r(NULL, "\n", &rest)) {
        char *words = NULL;
        const char *own = strtok_r(line, " ", &words), *name = strtok_r(NULL, " ", &words);
        const char *nodes = strtok_r(NULL, " ", &words);
        const char *plus = name != NULL ? strchr(name, '+') : NULL;
        const char *job = plus != NULL  ? arena_text("%.*s", (int)(plus - name), name)
                          : own != NULL ? arena_copy(own)
                                        : NULL;
        is_good = nodes != NULL && job != NULL && is_slurm_job(job) &&
                  (hosts.slurm_job == NULL || (plus != NULL && strcmp(hosts.slurm_job, job) == 0)) &&
                  host_list_parse(&hosts.hosts, nodes) == 0;
        hosts.slurm_components += plus != NULL;
        if (hosts.slurm_job == NULL)
            hosts.slurm_job = job;
    }
    if (is_good)
        *ret_hosts = hosts;
    return is_good;
}

/* The own job of a batch script, or of a shell of salloc. */
static bool find_own_job(struct job_hosts *ret_hosts)
{
    const char *own = getenv("SLURM_JOB_ID");
    struct reason unread;
    return own != NULL && is_slurm_job(own) && slurm_find_job(own, ret_hosts, &unread) == 0;
}

int slurm_find_only_job(struct job_hosts *ret_hosts)
{
    if (find_own_job(ret_hosts))
        return 1;
    char *user = format_text("%lu", (unsigned long)geteuid());
    char *answer = ask("-u", user, columns);
    const char *first_end = answer != NULL ? strchr(answer, '\n') : NULL;
    const bool are_several = first_end != NULL && first_end[1] != '\0';
    const bool is_only = answer != NULL && read_job(answer, ret_hosts);
    free(answer);
    free(user);
    return is_only ? 1 : are_several ? -1 : 0;
}

/* The first task of an array has the number of the array, for which squeue lists all tasks: "9 8_1 n1", "8 8_2 n2". The
 * line of that task; the whole answer where there is no such. */
static char *find_task(char *answer, const char *job)
{
    const size_t length = strlen(job);
    for (char *line = answer; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *name = line + length + 1, *end = line + strcspn(line, "\n");
        if (strncmp(line, job, length) == 0 && line[length] == ' ' && memchr(name, '_', (size_t)(end - name)) != NULL) {
            line[strcspn(line, "\n")] = '\0';
            return line;
        }
    }
    return answer;
}

int slurm_find_job(const char *job, struct job_hosts *ret_hosts, struct reason *ret_reason)
{
    char *answer = ask("-j", job, columns);
    const bool is_asked = answer != NULL;
    const bool is_found = is_asked && read_job(find_task(answer, job), ret_hosts);
    free(answer);
    if (is_found)
        return 0;
    bool exists;
    char *squeue = search_program("squeue", &exists);
    const bool is_here = squeue != NULL;
    free(squeue);
    return reason_set(ret_reason,
                      is_asked ? "job %s of Slurm does not run: 'squeue' lists those that do"
                      : is_here
                          ? "Slurm knows no job %s, or does not answer: 'squeue' lists the jobs that run"
                          : "squeue, which knows the hosts of job %s, is not on this host: name the hosts with --hosts",
                      job);
}
