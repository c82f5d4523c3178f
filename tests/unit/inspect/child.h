/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child process that stands at a known point: it has written its pid to a pipe and waits in read(). It ends when the
 * parent does.
 */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <sys/types.h>

struct child {
    pid_t pid;
    int to;   /* its standard input */
    int from; /* its standard output */
};

struct child child_start(const char *program);
/* fork() of a child that the kernel kills when its parent ends, be that before the child has run. */
pid_t child_fork(void);
/* Asks the child to answer, which it can only while it is not stopped; 0, or -1 when no answer came within the time. */
int child_answers(const struct child *child, int timeout_ms);
/* Its state as in ps; '?': it is gone. */
char child_state(const struct child *child);
/* Waits until the child has this state; fails the test when that takes longer than `timeout_ms`. */
void child_wait_for_state(const struct child *child, char state, int timeout_ms);
/* Path of a core file of the child, in a directory of its own, to be given to core_remove. NULL: gcore (package gdb)
 * does not work here. */
char *child_write_core(const struct child *child);
void core_remove(char *path);
void child_end(struct child *child);

#endif
