/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds out who has started a job, when, and as what, from its first process.
 */
#include "collect/collect.h"

#include "base/base.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_COMMAND_BYTES = 4096, USER_BUFFER_BYTES = 4096 };

char *name_user(uid_t user)
{
    struct passwd entry;
    struct passwd *found = NULL;
    char buffer[USER_BUFFER_BYTES];
    if (getpwuid_r(user, &entry, buffer, sizeof buffer, &found) == 0 && found != NULL)
        return copy_text(found->pw_name);
    return format_text("%lu", (unsigned long)user);
}

/* The arguments with blanks between them; NULL: not known. */
static char *read_command(pid_t pid)
{
    size_t bytes;
    char *command = read_process_file("/proc", pid, "cmdline", &bytes);
    if (command == NULL)
        return NULL;
    bytes = bytes < MOST_COMMAND_BYTES ? bytes : MOST_COMMAND_BYTES;
    command[bytes] = '\0';
    while (bytes > 0 && command[bytes - 1] == '\0')
        bytes--;
    for (size_t i = 0; i < bytes; i++)
        if (command[i] == '\0')
            command[i] = ' ';
    if (bytes > 0)
        return command;
    free(command);
    return NULL;
}

/* When the host was booted, in seconds since 1970; 0: not known. Differences of clocks would change while they are
 * read.
 */
static int64_t boot_time(void)
{
    FILE *file = fopen("/proc/stat", "re");
    char *line = NULL;
    size_t capacity = 0;
    long long seconds = 0;
    while (file != NULL && seconds == 0 && getline(&line, &capacity, file) > 0)
        if (sscanf(line, "btime %lld", &seconds) != 1)
            seconds = 0;
    free(line);
    if (file != NULL)
        fclose(file);
    return seconds;
}

void job_note_origin(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        struct process_status status;
        if (process->core != NULL || process->pid <= 0 || !read_process_status("/proc", process->pid, &status))
            continue;
        const double start_s = process_start_s("/proc", process->pid);
        const int64_t boot_s = boot_time();
        job->user = name_user(status.user);
        job->command = read_command(process->pid);
        job->started = start_s >= 0 && boot_s > 0 ? boot_s + (int64_t)start_s : 0;
        return;
    }
}
