/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Launchers of one MPI with programs of another: each process then is a job of its own.
 */
#ifndef MPILENS_INSPECT_DISCOVER_LAUNCH_CHECK_H
#define MPILENS_INSPECT_DISCOVER_LAUNCH_CHECK_H

#include "discover/discovery.h"
#include "launch/program.h"
#include "model/model.h"

#include <stdbool.h>

/* Whether the launcher above this process has started several ranks of such a program, and does not know its MPI; then
 * a sentence, which the caller frees. NULL: it knows it, or that cannot be said. */
char *check_own_launcher(const struct program *program);

/* The same of a job that was found and read: the launcher has numbered several processes, and each is alone in its
 * MPI_COMM_WORLD. */
char *check_launcher_of(const struct found_job *found, const struct job *job);

/* Says on standard error what is wrong with the launch of the job, if anything. */
void say_launch_problem(const struct job *job);

#endif
