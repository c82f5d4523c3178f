/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a word to a job that runs the program of this name.
 */
#include "job/job.h"

#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "render/text/render_text.h"
#include "snapshot/snapshot.h"
#include "target/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LISTED_JOBS = 20 };

bool target_parse_pid(const char *target, pid_t *ret_pid)
{
    char *end;
    const long pid = strtol(target, &end, 10);
    if (end == target || *end != '\0' || pid <= 0 || pid != (pid_t)pid)
        return false;
    *ret_pid = (pid_t)pid;
    return true;
}

void several_jobs_tell(const struct dll *dll, const struct found_job *const *jobs, size_t count,
                       struct reason *ret_reason)
{
    static const struct collect_plan plan = {.depth = COLLECT_PROCESS};
    static const struct render_options options = {.color = false};
    const size_t listed = count < MOST_LISTED_JOBS ? count : MOST_LISTED_JOBS;
    struct job *read = allocate(listed * sizeof *read);
    for (size_t i = 0; i < listed; i++)
        read_found_job(dll, jobs[i], false, &plan, &read[i]);
    char *list;
    FILE *stream = open_text(&list);
    render_list_text(stream, read, listed, &options);
    if (count > listed)
        fprintf(stream, "and %zu more that 'mpilens list' shows\n", count - listed);
    fclose(stream);
    reason_set(ret_reason, "there are several jobs on this host; name one by its PID:");
    ret_reason->list = arena_copy(list);
    free(list);
    for (size_t i = 0; i < listed; i++)
        job_clear(&read[i]);
    free(read);
}

/* Whether the word of the rank's command line names the file. */
static bool is_same_file(const struct found_rank *rank, const char *word, const char *path)
{
    char *directory = word[0] != '/' ? read_process_link("/proc", rank->pid, "cwd") : NULL;
    char *whole = directory != NULL ? format_text("%s/%s", directory, word) : copy_text(word);
    char *real = realpath(whole, NULL);
    const bool result = real != NULL && strcmp(real, path) == 0;
    free(real);
    free(whole);
    free(directory);
    return result;
}

/* Scripts are the second word of their interpreter. `path`: the file that is meant; NULL: any of this name. */
static bool runs_program(const struct found_rank *rank, const char *name, const char *path)
{
    enum { WORDS = 2 };
    const char *executable = rank->executable;
    if (name[0] == '\0')
        return false;
    if (executable != NULL &&
        strcmp(path != NULL ? executable : file_name(executable), path != NULL ? path : name) == 0)
        return true;
    size_t bytes;
    char *command = read_process_file("/proc", rank->pid, "cmdline", &bytes);
    bool result = false;
    const char *word = command;
    for (int i = 0; i < WORDS && word != NULL && word < command + bytes && !result; i++) {
        result = strcmp(file_name(word), name) == 0 && (path == NULL || is_same_file(rank, word, path));
        word += strlen(word) + 1;
    }
    free(command);
    return result;
}

/* A path names that file, unless it is none here. */
static bool has_program(const struct found_job *job, const char *word)
{
    char *path = strchr(word, '/') != NULL ? realpath(word, NULL) : NULL;
    bool result = false;
    for (size_t i = 0; i < job->rank_count && !result; i++)
        result = runs_program(&job->ranks[i], file_name(word), path);
    free(path);
    return result;
}

static bool is_read_as_file(const char *word)
{
    return access(word, F_OK) == 0 && ((box_directory_is(word) && strchr(word, '/') != NULL) || snapshot_is(word) ||
                                       has_part_lines(word) || target_core_may_be(word));
}

static bool has_ended_jobs(void)
{
    const struct ended_choice choice = {.most = 1};
    struct box_targets *jobs;
    return ended_jobs_find(&choice, &jobs) > 0;
}

int named_job_find(const struct dll *dll, const char *word, pid_t *ret_pid, bool *ret_several,
                   struct reason *ret_reason)
{
    pid_t pid;
    *ret_several = false;
    if (target_parse_pid(word, &pid) || strcmp(word, "-") == 0 || is_read_as_file(word))
        return 0;
    struct found_jobs jobs = find_jobs(dll, geteuid() == 0 ? ANY_USER : geteuid());
    const struct found_job **named = allocate((jobs.count + 1) * sizeof *named);
    size_t count = 0;
    for (size_t i = 0; i < jobs.count; i++)
        if (has_program(&jobs.items[i], word))
            named[count++] = &jobs.items[i];
    int result = 1;
    if (count == 1) {
        *ret_pid = found_job_pid(named[0]);
    } else if (count > 1) {
        *ret_several = true;
        several_jobs_tell(dll, named, count, ret_reason);
        result = -1;
    } else if (box_directory_is(word)) {
        result = 0; /* no job runs a program of its name */
    } else {
        const bool is_file = access(word, F_OK) == 0;
        result = reason_set(ret_reason, "'%s' is neither %s nor the program of an MPI job on this host%s", word,
                            is_file ? "a core file nor a snapshot" : "a PID nor a file",
                            has_ended_jobs() ? "; 'mpilens list --ended' has those that have ended" : "");
    }
    free((void *)named);
    return result;
}
