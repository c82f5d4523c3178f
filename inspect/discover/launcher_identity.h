/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The identity of the job of a process without the runtime, which else notes it, and of one that is not here.
 */
#ifndef MPILENS_INSPECT_DISCOVER_LAUNCHER_IDENTITY_H
#define MPILENS_INSPECT_DISCOVER_LAUNCHER_IDENTITY_H

#include <sys/types.h>

/* What the runtime would have noted of a rank with this pid (runtime/mpi/job_identity.c): "hydra n1:37041 0", "slurm
 * 4711.0". The caller frees it; NULL: nothing tells it. `proc` is "/proc" but in tests. */
char *launcher_identity_of(const char *proc, pid_t pid);
/* That of the first job of a launcher on this host, whose ranks may all run elsewhere: by the command lines of the
 * daemons of Hydra or ORTE that it has started, or of the ssh that has. Likewise. */
char *launcher_identity_below(const char *proc, pid_t launcher);

#endif
