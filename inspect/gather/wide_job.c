/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the hosts of the job that is meant: here, where its launcher is, or by asking Slurm.
 */
#include "gather/gather.h"

#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "engine/engine.h"
#include "job/job.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* To ask the host of the launcher. */
static const double hop_patience_s = 10;

/* The job that is meant where none is named, one with the runtime if there is any; NULL: there is none, or there are
 * several. */
static const struct found_job *find_only(const struct found_jobs *jobs, bool *ret_several)
{
    const struct found_job *only = NULL;
    bool with_runtime = false;
    *ret_several = false;
    for (size_t i = 0; i < jobs->count; i++)
        with_runtime = with_runtime || jobs->items[i].has_runtime;
    for (size_t i = 0; i < jobs->count; i++) {
        const struct found_job *job = &jobs->items[i];
        if (job->has_runtime != with_runtime ||
            (only != NULL && job->is_spawned && job->launcher_pid == only->launcher_pid))
            continue;
        *ret_several = *ret_several || only != NULL;
        only = job;
    }
    return *ret_several ? NULL : only;
}

/* A rank that has the runtime, else any. */
static const struct found_rank *choose_rank(const struct found_job *job)
{
    for (size_t i = 0; i < job->rank_count; i++)
        if (job->ranks[i].has_runtime)
            return &job->ranks[i];
    return &job->ranks[0];
}

/* Reads the identity of a rank. NULL: it cannot be read. */
static const char *read_identity(const struct dll *dll, const struct found_rank *rank)
{
    const struct collect_plan plan = {.depth = COLLECT_PROCESS};
    struct job one = {.size = -1};
    add_live_process(&one, rank->pid, rank->rank);
    read_processes(dll, &one, false, &plan);
    const char *identity = one.processes[0].job_identity;
    const char *result = identity[0] != '\0' ? arena_copy(identity) : NULL;
    job_clear(&one);
    return result;
}

static void note_rank_hosts(pid_t launcher, struct wide_job *job)
{
    struct launcher_table table;
    if (launcher == 0 || !launcher_table_of(launcher, &table))
        return;
    job->rank_hosts = arena_allocate(table.count * sizeof *job->rank_hosts);
    job->rank_host_count = table.count;
    for (size_t i = 0; i < table.count; i++)
        job->rank_hosts[i] = table.items[i].host;
}

/* Asks where the launcher runs; ssh is what has started the job, or else there would be no such host to ask. */
static void ask_launcher_host(struct wide_job *job)
{
    static const char *const options[] = {"ssh", "-T", "-a", "-x", "-oBatchMode=yes", "-oConnectTimeout=5", NULL};
    char *program = realpath("/proc/self/exe", NULL);
    if (program == NULL || job->identity == NULL) {
        free(program);
        return;
    }
    const char *const there[] = {program, "hosts", "--", job->identity, NULL};
    struct engine_words words = {.count = 0};
    engine_words_add_command(&words, options);
    engine_words_add(&words, "%s", job->where.launcher_host);
    engine_words_add_for_shell(&words, there);
    char *answer = engine_ask(words.items, hop_patience_s);
    struct host_list hosts = {.count = 0};
    for (char *line = answer != NULL ? strtok(answer, "\n") : NULL; line != NULL; line = strtok(NULL, "\n"))
        host_list_add(&hosts, line);
    host_list_finish(&hosts);
    job->where.hosts = hosts;
    free(answer);
    free(program);
}

static bool is_only_here(const struct host_list *hosts)
{
    return hosts->count == 1 && host_list_find_own(hosts) != NULL;
}

/* Looks at a job that has ranks here, and some elsewhere. */
static void look_at_job(const struct dll *dll, const struct found_job *found, struct wide_job *job)
{
    const struct found_rank *rank = choose_rank(found);
    job->where = job_hosts_find("/proc", rank->pid, found->launcher_pid);
    job->identity = read_identity(dll, rank);
    if (!found->is_spawned)
        note_rank_hosts(found->launcher_pid, job);
    if (job->where.hosts.count == 0 && job->where.launcher_host != NULL)
        ask_launcher_host(job);
}

/* A job all of whose ranks are here is left to who reads this host. */
static bool is_whole(const struct found_job *found)
{
    return found->size > 0 && found->rank_count >= (size_t)found->size;
}

static bool has_rank(const struct found_job *found, pid_t pid)
{
    for (size_t i = 0; i < found->rank_count; i++)
        if (found->ranks[i].pid == pid)
            return true;
    return false;
}

static pid_t named_launcher(const struct found_jobs *jobs, pid_t pid)
{
    struct process_status status;
    if (pid == 0)
        return jobs->launcher;
    return read_process_status("/proc", pid, &status) && is_launcher(status.name) ? pid : 0;
}

/* By what is found here. */
static enum wide_job_status find_here(const struct dll *dll, const struct wide_job_request *request, bool is_told,
                                      struct wide_job *job)
{
    pid_t pid = 0;
    bool several = false;
    if (request->target_count > 1 || (request->target_count == 1 && !target_parse_pid(request->targets[0], &pid)))
        return WIDE_JOB_HERE;
    struct found_jobs jobs = find_jobs(dll, geteuid() == 0 && pid != 0 ? ANY_USER : geteuid());
    if (geteuid() == 0 && pid == 0 && jobs.count == 0)
        jobs = find_jobs(dll, ANY_USER);
    const struct found_job *found = pid != 0 ? find_job_of(&jobs, pid) : find_only(&jobs, &several);
    const pid_t launcher = found == NULL && !several ? named_launcher(&jobs, pid) : 0;
    if (found != NULL && request->rank_is_alone && has_rank(found, pid))
        return WIDE_JOB_HERE;
    if (found != NULL && (is_told || !is_whole(found))) {
        look_at_job(dll, found, job);
    } else if (launcher != 0 && jobs.count == 0) {
        job->where = job_hosts_find("/proc", 0, launcher);
        note_rank_hosts(launcher, job);
    }
    if (is_told && found == NULL && pid != 0)
        job->identity = ended_job_identity(&(struct ended_choice){.pid = pid, .most = 1});
    const bool is_nothing = found == NULL && launcher == 0 && !several && jobs.count == 0 && pid == 0;
    if (job->where.hosts.count == 0 && is_nothing && !is_told && slurm_find_only_job(&job->where) < 0)
        return WIDE_JOB_SEVERAL;
    return job->where.hosts.count > 0 && !is_only_here(&job->where.hosts) ? WIDE_JOB_HOSTS : WIDE_JOB_HERE;
}

/* The user's words go before findings. */
static int take_told(const struct wide_job_request *request, struct wide_job *job, struct reason *ret_reason)
{
    struct host_list hosts = {.count = 0};
    if (request->slurm_job != NULL) {
        if (!is_slurm_job(request->slurm_job))
            return reason_set(ret_reason, "'%s' is no number of a job of Slurm", request->slurm_job);
        if (job->where.slurm_job == NULL || strcmp(job->where.slurm_job, request->slurm_job) != 0) {
            *job = (struct wide_job){.identity = NULL}; /* another one than that which was found here */
            struct job_hosts asked = {.slurm_job = NULL};
            if (request->hosts == NULL && slurm_find_job(request->slurm_job, &asked, ret_reason) != 0)
                return -1;
            job->where = asked;
            if (asked.slurm_job == NULL)
                job->where.slurm_job = arena_copy(request->slurm_job);
        }
    }
    if (request->hosts == NULL)
        return 0;
    if (host_list_parse(&hosts, request->hosts) != 0)
        return reason_set(ret_reason, "'%s' is no list of hosts, such as n1,n[3-8]", request->hosts);
    host_list_finish(&hosts);
    job->where.hosts = hosts;
    return 0;
}

enum wide_job_status wide_job_find(const struct dll *dll, const struct wide_job_request *request,
                                   struct wide_job *ret_job, struct reason *ret_reason)
{
    const bool is_told = request->hosts != NULL || request->slurm_job != NULL;
    struct wide_job job = {.identity = NULL};
    pid_t pid;
    for (size_t i = 0; is_told && i < request->target_count; i++)
        if (!target_parse_pid(request->targets[i], &pid)) {
            reason_set(ret_reason, "%s is no process: hosts are asked about processes only", request->targets[i]);
            return WIDE_JOB_ERROR;
        }
    enum wide_job_status status = find_here(dll, request, is_told, &job);
    if (is_told)
        status = take_told(request, &job, ret_reason) == 0 ? WIDE_JOB_HOSTS : WIDE_JOB_ERROR;
    if (status == WIDE_JOB_HOSTS)
        *ret_job = job;
    return status;
}

/* The parent of a process that has this word in its command line: mpiexec, whose daemons are told how to reach it. */
static pid_t find_parent_of_word(const char *word)
{
    DIR *directory = opendir("/proc");
    const struct dirent *entry;
    pid_t parent = 0;
    while (directory != NULL && parent == 0 && (entry = readdir(directory)) != NULL) {
        struct process_status status;
        const pid_t pid = (pid_t)atol(entry->d_name);
        size_t bytes;
        if (pid <= 0 || pid == getpid() || !read_process_status("/proc", pid, &status) || status.user != geteuid())
            continue;
        char *command = read_process_file("/proc", pid, "cmdline", &bytes);
        for (const char *next = command; next != NULL && next < command + bytes && parent == 0;
             next += strlen(next) + 1)
            if (strcmp(next, word) == 0)
                parent = status.parent;
        free(command);
    }
    if (directory != NULL)
        closedir(directory);
    return parent;
}

bool wide_job_find_hosts(const struct dll *dll, const char *identity, struct host_list *ret_hosts)
{
    static const char hydra[] = "hydra ";
    struct job_hosts where = {.slurm_job = NULL};
    struct found_jobs jobs = find_jobs(dll, geteuid() == 0 ? ANY_USER : geteuid());
    const struct found_job *found;
    struct reason unread;
    if (find_job_with_identity(dll, &jobs, identity, &found, &unread))
        where = job_hosts_find("/proc", choose_rank(found)->pid, found->launcher_pid);
    if (where.hosts.count == 0 && strncmp(identity, hydra, sizeof hydra - 1) == 0) {
        const char *port = identity + sizeof hydra - 1;
        char *word = strndup(port, strcspn(port, " "));
        const pid_t launcher = word != NULL ? find_parent_of_word(word) : 0;
        free(word);
        if (launcher > 1)
            where = job_hosts_find("/proc", 0, launcher);
    }
    *ret_hosts = where.hosts;
    return ret_hosts->count > 0;
}

static bool is_of_slurm_job(const struct found_job *found, const char *slurm_job)
{
    const struct job_hosts where = job_hosts_find("/proc", choose_rank(found)->pid, 0);
    return where.slurm_job != NULL && strcmp(where.slurm_job, slurm_job) == 0;
}

int wide_job_find_only(const struct dll *dll, const char *slurm_job, pid_t *ret_pid, struct reason *ret_reason)
{
    struct found_jobs jobs = find_jobs(dll, geteuid());
    if (jobs.count == 0 && geteuid() == 0)
        jobs = find_jobs(dll, ANY_USER);
    size_t kept = 0;
    for (size_t i = 0; i < jobs.count; i++) {
        const struct found_job job = jobs.items[i];
        if (slurm_job != NULL && !is_of_slurm_job(&job, slurm_job))
            continue;
        jobs.items[i] = jobs.items[kept];
        jobs.items[kept++] = job;
    }
    bool several;
    jobs.count = kept;
    const struct found_job *only = find_only(&jobs, &several);
    if (only != NULL)
        *ret_pid = found_job_pid(only);
    if (several)
        return reason_set(ret_reason, "there are several jobs on this host: name one by its PID where it runs");
    return only != NULL ? 1 : 0;
}
