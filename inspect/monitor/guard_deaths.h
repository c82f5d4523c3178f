/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which ranks of a job that is guarded have ended, in which order, and how. Their parent is the launcher, so the kernel
 * is asked: what it says of a process that nobody has waited for yet and, where it can (Linux 6.15), of one that is
 * gone.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_DEATHS_H
#define MPILENS_INSPECT_MONITOR_GUARD_DEATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct guard_death {
    pid_t pid;
    int rank;
    bool is_of_launcher; /* started by the command itself, not by what that has started */
    int file;            /* pidfd */
    size_t order;        /* of its end among all, from 1 on; 0: it has not ended */
    double at_s;         /* CLOCK_MONOTONIC, when that was noticed: the same for those that were noticed at once */
    bool is_known;       /* how it has ended */
    int status;          /* as of waitpid */
};

struct guard_deaths {
    int queue; /* readable when a rank has ended; -1: that cannot be found out */
    struct guard_death *items;
    size_t count;
    size_t ended;
};

struct guard_deaths guard_deaths_begin(void);
void guard_deaths_clear(struct guard_deaths *deaths);

/* From now on the end of this process is noticed. Does nothing where it is watched already, or has ended. */
void guard_deaths_watch(struct guard_deaths *deaths, pid_t pid, int rank, bool is_of_launcher);
/* Takes note of those that have ended. Returns how many that are more than before. */
size_t guard_deaths_note(struct guard_deaths *deaths);
/* Finds out of those that are gone meanwhile how they have ended. */
void guard_deaths_finish(struct guard_deaths *deaths);

/* The rank that has ended the job by ending: the first that was ended by a signal or gave another status than 0; one
 * with status 0, or of which that is not known, where others were killed directly after it, as launchers do when a rank
 * ends without MPI_Finalize, or where the ends of both were noticed at once.
 * `has_failed`: the command has not ended with status 0, which counts where it is not known how ranks have ended. NULL:
 * none. */
const struct guard_death *guard_deaths_find_first(const struct guard_deaths *deaths, bool has_failed);

#endif
