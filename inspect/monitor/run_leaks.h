/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A rank that is watched until it ends, to say what it has made and not freed.
 *
 * This process stays as the rank's parent. By ptrace(2) the kernel holds the rank still when it exits, while its memory
 * is still there; it is read then and goes on to end. Nothing else happens to it, but that no debugger can attach.
 */
#ifndef MPILENS_INSPECT_MONITOR_RUN_LEAKS_H
#define MPILENS_INSPECT_MONITOR_RUN_LEAKS_H

#include "base/rank_set.h"

/* Starts the program and waits for its end; when it or a process that it has forked ends behind MPI_Finalize and is one
 * of `ranks`, its leaks are said on standard error: by whoever watches the last rank that a launcher has on this host,
 * of all those ranks together, else at once. Signals are passed on. Returns the exit status of the program, or 128 and
 * the signal that it died of; where that is 0 and this process has said leaks, `error_status`. */
int run_with_leaks(const char *path, char **arguments, const struct rank_set *ranks, int error_status);

#endif
