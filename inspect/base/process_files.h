/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files of /proc about a process. `proc` is the directory, "/proc" but in tests.
 */
#ifndef MPILENS_INSPECT_BASE_PROCESS_FILES_H
#define MPILENS_INSPECT_BASE_PROCESS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process_status {
    pid_t pid;
    pid_t parent;
    pid_t tracer; /* 0: none */
    uid_t user;
    char state; /* as in ps: R, S, D, T, t, Z, ... */
    char name[64];
};
/* False: there is no such process. */
bool read_process_status(const char *proc, pid_t pid, struct process_status *ret_status);
/* Whether it is gone, or has ended and its parent has not yet waited for it: then its files say nothing more. */
bool process_has_ended(const char *proc, pid_t pid);

/* What a file of /proc/PID holds, its first 8 MB, NUL-terminated behind *ret_bytes; the caller frees it. NULL: it
 * cannot be read, and errno says why. */
char *read_process_file(const char *proc, pid_t pid, const char *file, size_t *ret_bytes);

/* How long the process has been there, in seconds; -1: not known. */
double process_age_s(pid_t pid);
/* How a process has ended whose parent has not waited for it, as of waitpid(2); -1: it has not, or that must not be
 * known. */
int process_wait_status(const char *proc, pid_t pid);

/* The value of a variable in what read_process_file says of "environ"; NULL: it has none. */
const char *find_variable(const char *environment, size_t bytes, const char *name);
/* The word after the option in what it says of "cmdline"; NULL: there is none, or it is empty. */
const char *find_argument(const char *arguments, size_t bytes, const char *option);
/* Where a symbolic link of /proc/PID points; the caller frees it. NULL: it cannot be read. */
char *read_process_link(const char *proc, pid_t pid, const char *file);

/* Whether the process `pid` of this namespace has the number `inner` there or in a namespace within. True if that
 * cannot be found out. */
bool process_has_pid(pid_t pid, pid_t inner);

/* What a user who must not read a process can do. */
const char *read_permission_advice(void);

#endif
