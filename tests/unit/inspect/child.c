/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child process that stands at a known point.
 */
#include "child.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child child_start(const char *program)
{
    int to[2], from[2];
    cr_assert_eq(pipe(to), 0);
    cr_assert_eq(pipe(from), 0);
    struct child child = {.pid = fork(), .to = to[1], .from = from[0]};
    cr_assert_geq(child.pid, 0);
    if (child.pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        for (int file = 3; file < 64; file++)
            close(file);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    char ready;
    cr_assert_eq(read(child.from, &ready, 1), 1, "%s did not start", program);
    return child;
}

pid_t child_fork(void)
{
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent))
        _exit(127);
    return pid;
}

int child_answers(const struct child *child, int timeout_ms)
{
    char byte = 'a';
    struct pollfd answer = {.fd = child->from, .events = POLLIN};
    if (write(child->to, &byte, 1) != 1 || poll(&answer, 1, timeout_ms) != 1)
        return -1;
    return read(child->from, &byte, 1) == 1 ? 0 : -1;
}

char child_state(const struct child *child)
{
    struct process_status status;
    return read_process_status("/proc", child->pid, &status) ? status.state : '?';
}

void child_wait_for_state(const struct child *child, char state, int timeout_ms)
{
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    for (int i = 0; i < timeout_ms && child_state(child) != state; i++)
        nanosleep(&pause, NULL);
    cr_assert_eq(child_state(child), state, "state %c instead of %c", child_state(child), state);
}

static void remove_directory_of(const char *path)
{
    char *directory = strdup(path);
    *strrchr(directory, '/') = '\0';
    rmdir(directory);
    free(directory);
}

char *child_write_core(const struct child *child)
{
    char directory[] = "/tmp/mpilens-core-XXXXXX", command[128], *path = NULL;
    cr_assert_not_null(mkdtemp(directory));
    snprintf(command, sizeof command, "gcore -o %s/core %ld >/dev/null 2>&1", directory, (long)child->pid);
    cr_assert_gt(asprintf(&path, "%s/core.%ld", directory, (long)child->pid), 0);
    if (system(command) == 0) /* NOLINT(cert-env33-c): gcore wherever it is */
        return path;
    remove_directory_of(path);
    free(path);
    return NULL;
}

void core_remove(char *path)
{
    unlink(path);
    remove_directory_of(path);
    free(path);
}

void child_end(struct child *child)
{
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    close(child->to);
    close(child->from);
}
