/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the files of control groups, and writes freezer.state.
 */
#include "kernel/kernel.h"

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILE = 4096, MOST_LEVELS = 32 };

/* Reads a file of a directory below the mounts, such as "freezer/job_4711". False: it cannot be read. */
static bool read_file(const char *directory, const char *file, char *ret_text)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", directory, file) >= (int)sizeof path)
        return false;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const ssize_t count = descriptor >= 0 ? read(descriptor, ret_text, MOST_FILE - 1) : -1;
    if (descriptor >= 0)
        close(descriptor);
    ret_text[count > 0 ? count : 0] = '\0';
    return count > 0;
}

/* Behind "\nkey "; 0: it is not there. */
static uint64_t find_number(const char *text, const char *key)
{
    const size_t length = strlen(key);
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && line[length] == ' ')
            return strtoull(line + length, NULL, 10);
    }
    return 0;
}

static uint64_t read_number(const char *directory, const char *file, const char *key)
{
    char text[MOST_FILE];
    return read_file(directory, file, text) ? find_number(text, key) : 0;
}

/* The limit may belong to a group further up. */
static uint64_t read_throttled(const char *mount, const char *directory)
{
    char above[PATH_MAX];
    uint64_t most = 0;
    snprintf(above, sizeof above, "%s", directory);
    for (int level = 0; level < MOST_LEVELS && strlen(above) >= strlen(mount); level++) {
        const uint64_t periods = read_number(above, "cpu.stat", "nr_throttled");
        most = periods > most ? periods : most;
        char *last = strrchr(above, '/');
        if (last == NULL)
            break;
        *last = '\0';
    }
    return most;
}

static bool is_frozen_by_first_version(const char *directory)
{
    char text[MOST_FILE];
    return read_file(directory, "freezer.state", text) && strncmp(text, "FROZEN", strlen("FROZEN")) == 0;
}

static bool join(const char *mount, const char *path, char ret_directory[PATH_MAX])
{
    if (snprintf(ret_directory, PATH_MAX, "%s%s", mount, path) >= PATH_MAX)
        return false;
    for (char *end = ret_directory + strlen(ret_directory);
         end > ret_directory && end[-1] == '/';) /* the root is "/" */
        *--end = '\0';
    return true;
}

static void read_group(const char *mount, const char *path, const char *controllers, struct control_group_state *state)
{
    char directory[PATH_MAX];
    if (!join(mount, path, directory))
        return;
    const bool is_second_version = controllers[0] == '\0';
    if (is_second_version)
        state->is_frozen = state->is_frozen || read_number(directory, "cgroup.events", "frozen") != 0;
    if (strstr(controllers, "freezer") != NULL)
        state->is_frozen = state->is_frozen || is_frozen_by_first_version(directory);
    if (is_second_version || strcmp(controllers, "cpu") == 0 || strncmp(controllers, "cpu,", 4) == 0) {
        const uint64_t throttled = read_throttled(mount, directory);
        state->throttled_periods = throttled > state->throttled_periods ? throttled : state->throttled_periods;
    }
    if (is_second_version || strcmp(controllers, "memory") == 0) {
        const uint64_t killed =
            read_number(directory, is_second_version ? "memory.events" : "memory.oom_control", "oom_kill");
        state->killed = killed > state->killed ? killed : state->killed;
    }
}

/* Takes "0::/user.slice/job", "4:cpu,cpuacct:/job" apart. Groups outside those that we see begin with "/..". */
static bool split_line(char *line, char **ret_controllers, char **ret_path)
{
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL || path[1] != '/' || strstr(path, "/..") != NULL)
        return false;
    *path = '\0';
    *ret_controllers = controllers + 1;
    *ret_path = path + 1;
    return true;
}

static void read_line(const char *mounts, char *line, struct control_group_state *state)
{
    char mount[PATH_MAX], *controllers, *path;
    if (!split_line(line, &controllers, &path))
        return;
    if (controllers[0] == '\0') {
        read_group(mounts, path, controllers, state);
        snprintf(mount, sizeof mount, "%s/unified", mounts); /* beside the first version */
        read_group(mount, path, controllers, state);
    } else if (snprintf(mount, sizeof mount, "%s/%s", mounts, controllers) < (int)sizeof mount) {
        read_group(mount, path, controllers, state);
    }
}

/* Ends the line at `line`. Where the next one begins. */
static char *end_line(char *line)
{
    char *end = line + strcspn(line, "\n");
    return *end == '\n' ? (*end = '\0', end + 1) : end;
}

struct control_group_state control_group_read(const char *proc, const char *mounts, pid_t pid)
{
    struct control_group_state state = {.is_frozen = false};
    size_t bytes;
    char *text = read_process_file(proc, pid, "cgroup", &bytes);
    for (char *line = text, *next; line != NULL && *line != '\0'; line = next) {
        next = end_line(line);
        read_line(mounts, line, &state);
    }
    free(text);
    return state;
}

/* --- the freezer of version 1 --- */

/* The process's group. False: it has none that we see. */
static bool find_freezer(const char *proc, const char *mounts, pid_t pid, char ret_mount[PATH_MAX],
                         char ret_directory[PATH_MAX])
{
    size_t bytes;
    bool is_found = false;
    char *text = read_process_file(proc, pid, "cgroup", &bytes);
    for (char *line = text, *next, *controllers, *path; line != NULL && *line != '\0' && !is_found; line = next) {
        next = end_line(line);
        is_found = split_line(line, &controllers, &path) && strstr(controllers, "freezer") != NULL &&
                   snprintf(ret_mount, PATH_MAX, "%s/%s", mounts, controllers) < PATH_MAX &&
                   join(ret_mount, path, ret_directory);
    }
    free(text);
    return is_found;
}

static bool freezes(const char *directory)
{
    char text[MOST_FILE];
    return read_file(directory, "freezer.self_freezing", text) && text[0] == '1';
}

struct owner {
    bool (*is_ours)(void *context, pid_t pid);
    void *context;
};

/* A list that cannot be read, or has a process of another namespace (0), has others. */
static bool has_only_ours(const char *directory, const struct owner *owner, int levels)
{
    char path[PATH_MAX];
    long pid;
    bool result = true;
    FILE *file =
        snprintf(path, sizeof path, "%s/cgroup.procs", directory) < (int)sizeof path ? fopen(path, "re") : NULL;
    if (file == NULL)
        return false;
    while (result && fscanf(file, "%ld", &pid) == 1)
        result = pid > 0 && owner->is_ours(owner->context, (pid_t)pid);
    fclose(file);
    DIR *groups = opendir(directory);
    const struct dirent *entry;
    while (result && groups != NULL && (entry = readdir(groups)) != NULL)
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            result = levels > 0 && snprintf(path, sizeof path, "%s/%s", directory, entry->d_name) < (int)sizeof path &&
                     has_only_ours(path, owner, levels - 1);
    if (groups != NULL)
        closedir(groups);
    return result;
}

static int thaw(const char *directory, const struct owner *owner, struct reason *ret_reason)
{
    static const char word[] = "THAWED";
    char path[PATH_MAX];
    if (!has_only_ours(directory, owner, MOST_LEVELS))
        return reason_set(ret_reason,
                          "it is frozen with other processes by the control group %s, and ends when that is thawed",
                          directory);
    const int file = snprintf(path, sizeof path, "%s/freezer.state", directory) < (int)sizeof path
                         ? open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
                         : -1;
    const ssize_t count = file >= 0 ? write(file, word, sizeof word - 1) : -1;
    const int error = errno;
    if (file >= 0)
        close(file);
    return count > 0 ? 0
                     : reason_set(ret_reason, "the control group %s, which has frozen it, cannot be thawed: %s",
                                  directory, strerror(error));
}

int control_group_thaw(const char *proc, const char *mounts, pid_t pid, bool (*is_ours)(void *context, pid_t pid),
                       void *context, struct reason *ret_reason)
{
    char mount[PATH_MAX], directory[PATH_MAX];
    const struct owner owner = {.is_ours = is_ours, .context = context};
    int result = 0;
    if (!find_freezer(proc, mounts, pid, mount, directory))
        return 0;
    for (int level = 0; level < MOST_LEVELS && strlen(directory) > strlen(mount); level++) {
        if (freezes(directory) && thaw(directory, &owner, ret_reason) != 0)
            result = -1;
        *strrchr(directory, '/') = '\0';
    }
    return result;
}
