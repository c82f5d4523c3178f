/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks squeue.
 */
#include "gather/slurm_jobs.h"

#include "base/allocation.h"
#include "engine/engine_ask.h"
#include "launch/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A controller that is busy takes seconds. */
static const double patience_s = 10;

/* What stands in the columns of `format`, a line for each job. The caller frees it; NULL: that is not known. */
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

/* "8 n[1-3]", a line alone. */
static bool read_line(char *line, struct job_hosts *ret_hosts)
{
    char *end = strchr(line, '\n');
    char *blank = strchr(line, ' ');
    if (end == NULL || end[1] != '\0' || blank == NULL)
        return false;
    *end = '\0';
    *blank = '\0';
    struct host_list hosts = {.count = 0};
    if (!is_slurm_job(line) || host_list_parse(&hosts, blank + 1 + strspn(blank + 1, " ")) != 0)
        return false;
    ret_hosts->slurm_job = copy_text(line);
    ret_hosts->hosts = hosts;
    return true;
}

void slurm_find_only_job(struct job_hosts *hosts)
{
    char *user = format_text("%lu", (unsigned long)geteuid());
    char *answer = ask("-u", user, "%A %N");
    if (answer != NULL)
        read_line(answer, hosts);
    free(answer);
    free(user);
}

int slurm_find_hosts(const char *job, struct host_list *ret_hosts, struct reason *ret_reason)
{
    struct job_hosts hosts = {.slurm_job = NULL};
    char *answer = ask("-j", job, "%A %N");
    const bool is_found = answer != NULL && read_line(answer, &hosts);
    const bool is_asked = answer != NULL;
    free(answer);
    free(hosts.slurm_job);
    if (!is_found)
        return reason_set(ret_reason,
                          is_asked ? "job %s of Slurm does not run: 'squeue' lists those that do"
                                   : "squeue, which knows the hosts of job %s, is not here or does not "
                                     "answer: name the hosts with --hosts",
                          job);
    *ret_hosts = hosts.hosts;
    return 0;
}
