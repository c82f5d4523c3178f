/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The checks of mpilens doctor: obstacles for mpilens on this host, and commands that remove them.
 */
#ifndef MPILENS_INSPECT_DOCTOR_DOCTOR_H
#define MPILENS_INSPECT_DOCTOR_DOCTOR_H

#include <stddef.h>
#include <stdio.h>

enum doctor_state {
    DOCTOR_GOOD,
    DOCTOR_LIMITED, /* mpilens works, but something that it could say is not there */
    DOCTOR_BAD,     /* mpilens does not work */
};

struct doctor_check {
    const char *name;
    enum doctor_state state;
    const char *text;   /* the finding */
    const char *remedy; /* a command, or what to do; NULL: nothing is to be done */
};

/* Zero-initialised is empty. */
struct doctor {
    struct doctor_check *checks;
    size_t count;
};

/* A line for each check from this number on, and one for what to do. */
void doctor_write(FILE *stream, const struct doctor *doctor, size_t first);
/* "ok", "limited", "wrong". */
const char *doctor_state_name(enum doctor_state state);

/* ptrace, core files, shared memory. */
void doctor_check_system(struct doctor *doctor);
/* The debugger library, runtimes, compilers of MPI, gdb, debuginfod. */
void doctor_check_installation(struct doctor *doctor);
/* Ways to other hosts, and the hosts of the job that runs here. */
void doctor_check_hosts(struct doctor *doctor);
/* For each MPI that has a compiler and a runtime, a job of two ranks that wait for each other. */
void doctor_check_job(struct doctor *doctor);

#endif
