/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the files of control groups.
 */
#include "kernel/control_group.h"

#include "base/process_files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILE = 4096, MOST_LEVELS = 32 };

/* Of a directory below the mounts, such as "freezer/job_4711". False: it cannot be read. */
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

/* The limit may be that of a group further up. */
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

static void read_group(const char *mount, const char *path, const char *controllers, struct control_group_state *state)
{
    char directory[PATH_MAX];
    if (snprintf(directory, sizeof directory, "%s%s", mount, path) >= (int)sizeof directory)
        return;
    for (char *end = directory + strlen(directory); end > directory && end[-1] == '/';) /* the root is "/" */
        *--end = '\0';
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

/* "0::/user.slice/job", "4:cpu,cpuacct:/job". Groups outside those that we see begin with "/..". */
static void read_line(const char *mounts, char *line, struct control_group_state *state)
{
    char mount[PATH_MAX];
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL || path[1] != '/' || strstr(path, "/..") != NULL)
        return;
    controllers++;
    *path++ = '\0';
    if (controllers[0] == '\0') {
        read_group(mounts, path, controllers, state);
        snprintf(mount, sizeof mount, "%s/unified", mounts); /* beside the first version */
        read_group(mount, path, controllers, state);
    } else if (snprintf(mount, sizeof mount, "%s/%s", mounts, controllers) < (int)sizeof mount) {
        read_group(mount, path, controllers, state);
    }
}

struct control_group_state control_group_read(const char *proc, const char *mounts, pid_t pid)
{
    struct control_group_state state = {.is_frozen = false};
    size_t bytes;
    char *text = read_process_file(proc, pid, "cgroup", &bytes);
    for (char *line = text, *end; line != NULL && *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n' ? (*end = '\0', 1) : 0;
        read_line(mounts, line, &state);
    }
    free(text);
    return state;
}
