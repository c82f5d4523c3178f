/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the core files that the kernel writes.
 */
#include "base/base.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PATTERN_BYTES = 4096 };

void core_limit_raise(void)
{
    const char *wanted = getenv("MPILENS_CORE");
    struct rlimit limit;
    if ((wanted != NULL && strcmp(wanted, "none") == 0) || getrlimit(RLIMIT_CORE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
}

char *core_pattern_glob(const char *pattern, bool adds_pid, pid_t pid)
{
    char *text;
    bool has_pid = false;
    FILE *stream = open_text(&text);
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at != '%') {
            if (strchr("*?[\\", *at) != NULL)
                fputc('\\', stream);
            fputc(*at, stream);
        } else if (*++at == 'p') {
            fprintf(stream, "%ld", (long)pid);
            has_pid = true;
        } else if (*at == '%') {
            fputc('%', stream);
        } else if (*at != '\0') {
            fputc('*', stream);
        } else {
            break; /* the kernel drops a single one */
        }
    }
    if (adds_pid && !has_pid)
        fprintf(stream, ".%ld", (long)pid);
    fclose(stream);
    return text;
}

/* "": it cannot be read, which is the same as none. */
static void read_pattern(char pattern[MOST_PATTERN_BYTES], bool *ret_adds_pid)
{
    char text[16];
    read_first_line("/proc/sys/kernel/core_pattern", pattern, MOST_PATTERN_BYTES);
    read_first_line("/proc/sys/kernel/core_uses_pid", text, sizeof text);
    *ret_adds_pid = text[0] != '\0' && strcmp(text, "0") != 0;
}

/* "/dir/core.*" of a relative one. */
static char *path_pattern(const char *directory, pid_t pid)
{
    char pattern[MOST_PATTERN_BYTES];
    bool adds_pid;
    read_pattern(pattern, &adds_pid);
    char *relative = core_pattern_glob(pattern, adds_pid, pid);
    if (pattern[0] == '/' || directory == NULL)
        return relative;
    char *path = format_text("%s/%s", directory, relative);
    free(relative);
    return path;
}

struct core_files core_files_find(const char *directory, pid_t pid, time_t since)
{
    struct core_files files = {.count = 0};
    char *pattern = path_pattern(directory, pid);
    glob_t found;
    struct stat status;
    if (pattern[0] == '/' && glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (lstat(found.gl_pathv[i], &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                status.st_mtime >= since) {
                files.paths = arena_append(files.paths, &files.count, sizeof *files.paths);
                files.paths[files.count - 1] = arena_copy(found.gl_pathv[i]);
            }
        globfree(&found);
    }
    free(pattern);
    return files;
}

bool core_files_are_of_systemd(void)
{
    char pattern[MOST_PATTERN_BYTES];
    bool adds_pid;
    read_pattern(pattern, &adds_pid);
    return pattern[0] == '|' && strstr(pattern, "systemd-coredump") != NULL;
}

/* Explains why the kernel has not written a core file. */
static char *explain_none(const char *pattern, const char *directory)
{
    struct rlimit limit;
    const char *slash = pattern[0] == '/' ? strrchr(pattern, '/') : NULL;
    if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0)
        return copy_text("the hard limit is 0 (ulimit -H -c): raise it in /etc/security/limits.conf, or in the batch "
                         "system");
    if (pattern[0] == '\0')
        return copy_text("/proc/sys/kernel/core_pattern is empty: write \"core.%p\" to it");
    if (pattern[0] == '|')
        return format_text("%s, to which /proc/sys/kernel/core_pattern gives it, took none", pattern + 1);
    char *where = slash != NULL && strchr(pattern, '%') > slash ? format_text("%.*s/", (int)(slash - pattern), pattern)
                  : directory != NULL                           ? copy_text(directory)
                                                                : NULL;
    char *text = where != NULL && access(where, W_OK) != 0
                     ? format_text("%s: %s: start the job in a directory that it may write to", where, strerror(errno))
                     : copy_text("the limit was 0 where the rank was started (ulimit -c unlimited), or the program has "
                                 "refused one (prctl PR_SET_DUMPABLE)");
    free(where);
    return text;
}

char *core_file_explain(const char *directory, bool was_dumped)
{
    char pattern[MOST_PATTERN_BYTES];
    bool adds_pid;
    read_pattern(pattern, &adds_pid);
    if (!was_dumped)
        return explain_none(pattern, directory);
    if (pattern[0] == '|')
        return format_text("it went to the program in /proc/sys/kernel/core_pattern: %s", pattern + 1);
    return format_text("it was written, but is not there as %s says (%s): name it to 'mpilens show'",
                       "/proc/sys/kernel/core_pattern", pattern);
}
