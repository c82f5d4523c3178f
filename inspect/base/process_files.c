/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID: status, links, environment, command line.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A process may have an environment of any size; longer files are cut. */
enum { MOST_FILE_BYTES = 8 << 20 };

struct reading {
    char *path;
    char *bytes; /* NULL: it cannot be read */
    size_t count;
    int error;
};

static int read_all(int descriptor, struct reading *reading)
{
    size_t capacity = 4096, used = 0;
    char *bytes = allocate(capacity);
    ssize_t part;
    while ((part = read(descriptor, bytes + used, capacity - used - 1)) > 0 && used + (size_t)part <= MOST_FILE_BYTES) {
        used += (size_t)part;
        if (capacity - used < 2) {
            char *larger = allocate(capacity * 2);
            memcpy(larger, bytes, used);
            free(bytes);
            bytes = larger;
            capacity *= 2;
        }
    }
    if (part < 0) {
        free(bytes);
        return errno;
    }
    bytes[used] = '\0';
    reading->bytes = bytes;
    reading->count = used;
    return 0;
}

static void read_file(void *context)
{
    struct reading *reading = context;
    const int descriptor = open(reading->path, O_RDONLY | O_CLOEXEC);
    reading->error = descriptor >= 0 ? read_all(descriptor, reading) : errno;
    if (descriptor >= 0)
        close(descriptor);
}

static void discard(void *context)
{
    struct reading *reading = context;
    free(reading->path);
    free(reading->bytes);
    free(reading);
}

/* These wait for whoever changes what the process has mapped, or for the pages themselves. */
static bool may_block(const char *file)
{
    return strcmp(file, "environ") == 0 || strcmp(file, "cmdline") == 0 || strcmp(file, "maps") == 0;
}

char *read_process_file(const char *proc, pid_t pid, const char *file, size_t *ret_bytes)
{
    struct reading *reading = may_block(file) && blocked_read_is_silent(pid) ? NULL : allocate(sizeof *reading);
    errno = ETIMEDOUT;
    if (reading == NULL)
        return NULL;
    *reading = (struct reading){.path = format_text("%s/%ld/%s", proc, (long)pid, file)};
    if (!may_block(file)) {
        read_file(reading);
    } else if (!blocked_read_apart(pid, read_file, discard, reading)) {
        errno = ETIMEDOUT;
        return NULL;
    }
    char *bytes = reading->bytes;
    const int error = reading->error;
    if (bytes != NULL)
        *ret_bytes = reading->count;
    reading->bytes = NULL;
    discard(reading);
    errno = error;
    return bytes;
}

char *read_process_link(const char *proc, pid_t pid, const char *file)
{
    char path[PATH_MAX], target[PATH_MAX];
    snprintf(path, sizeof path, "%s/%ld/%s", proc, (long)pid, file);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return NULL;
    target[length] = '\0';
    return copy_text(target);
}

/* The text behind "\nKey:" of a status file, or NULL. */
static const char *find_key(const char *status, const char *key)
{
    const size_t length = strlen(key);
    for (const char *line = status; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && line[length] == ':')
            return line + length + 1;
    }
    return NULL;
}

static long find_number(const char *status, const char *key)
{
    const char *value = find_key(status, key);
    return value != NULL ? strtol(value, NULL, 10) : 0;
}

static bool has_signal(const char *status, const char *set, int number)
{
    const char *value = find_key(status, set);
    return value != NULL && (strtoull(value, NULL, 16) >> (number - 1) & 1) != 0;
}

bool read_process_status(const char *proc, pid_t pid, struct process_status *ret_status)
{
    size_t bytes;
    char *status = read_process_file(proc, pid, "status", &bytes);
    if (status == NULL)
        return false;
    *ret_status = (struct process_status){
        .pid = pid,
        .parent = (pid_t)find_number(status, "PPid"),
        .tracer = (pid_t)find_number(status, "TracerPid"),
        .user = (uid_t)find_number(status, "Uid"),
    };
    const char *state = find_key(status, "State");
    if (state != NULL)
        ret_status->state = state[strspn(state, " \t")];
    /* One that cannot run, in a call of the kernel or frozen, may stay for hours. */
    const bool is_killed = has_signal(status, "SigPnd", SIGKILL) || has_signal(status, "ShdPnd", SIGKILL);
    ret_status->is_ending =
        ret_status->state == 'Z' || ret_status->state == 'X' || (ret_status->state == 'R' && is_killed);
    const char *name = find_key(status, "Name");
    if (name != NULL)
        sscanf(name, " %63[^\n]", ret_status->name);
    free(status);
    return true;
}

bool process_has_ended(const char *proc, pid_t pid)
{
    struct process_status status;
    return !read_process_status(proc, pid, &status) || status.state == 'Z' || status.state == 'X';
}

static bool is_going(const char *proc, pid_t pid, const struct process_stat *stat)
{
    enum { EXITING = 4 }; /* PF_EXITING of Linux */
    struct process_status status;
    return (stat->flags & EXITING) != 0 || !read_process_status(proc, pid, &status) || status.is_ending;
}

bool process_is_ending(const char *proc, pid_t pid)
{
    struct process_stat stat;
    return !process_stat_read(proc, pid, &stat) || is_going(proc, pid, &stat);
}

bool process_is_alive(const char *proc, pid_t pid, unsigned long long start)
{
    struct process_stat stat;
    return process_stat_read(proc, pid, &stat) && stat.start == start && !is_going(proc, pid, &stat);
}

double process_age_s(pid_t pid)
{
    struct timespec now;
    const double start = process_start_s("/proc", pid);
    if (start < 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0)
        return -1;
    const double age = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - start;
    return age > 0 ? age : 0;
}

const char *find_variable(const char *environment, size_t bytes, const char *name)
{
    const size_t length = strlen(name);
    for (const char *variable = environment; variable < environment + bytes; variable += strlen(variable) + 1)
        if (strncmp(variable, name, length) == 0 && variable[length] == '=')
            return variable + length + 1;
    return NULL;
}

const char *find_argument(const char *arguments, size_t bytes, const char *option)
{
    for (const char *next = arguments; next < arguments + bytes; next += strlen(next) + 1) {
        const char *value = next + strlen(next) + 1;
        if (strcmp(next, option) == 0 && value < arguments + bytes && value[0] != '\0')
            return value;
    }
    return NULL;
}

bool process_has_pid(pid_t pid, pid_t inner)
{
    size_t bytes;
    if (pid == inner)
        return true;
    char *status = read_process_file("/proc", pid, "status", &bytes);
    const char *numbers = status != NULL ? find_key(status, "NSpid") : NULL;
    bool found = numbers == NULL;
    while (!found) {
        char *end;
        const long number = strtol(numbers, &end, 10);
        if (end == numbers)
            break;
        found = number == inner;
        if (*end == '\n')
            break;
        numbers = end;
    }
    free(status);
    return found;
}

const char *read_permission_advice(void)
{
    FILE *stream = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    int scope = 0;
    if (stream != NULL) {
        if (fscanf(stream, "%d", &scope) != 1)
            scope = 0;
        fclose(stream);
    }
    return scope > 0 ? "Yama forbids it (kernel.yama.ptrace_scope is not 0): run mpilens as root, or allow it with "
                       "'sysctl kernel.yama.ptrace_scope=0'"
                     : "run mpilens as its owner or as root, and in a container with the capability SYS_PTRACE";
}
