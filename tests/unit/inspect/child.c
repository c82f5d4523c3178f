/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child process that stands at a known point.
 */
#include "child.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
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

int child_answers(const struct child *child, int timeout_ms)
{
    char byte = 'a';
    struct pollfd answer = {.fd = child->from, .events = POLLIN};
    if (write(child->to, &byte, 1) != 1 || poll(&answer, 1, timeout_ms) != 1)
        return -1;
    return read(child->from, &byte, 1) == 1 ? 0 : -1;
}

void child_end(struct child *child)
{
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    close(child->to);
    close(child->from);
}
