/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The reason why a core file was written.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_CRASH_H
#define MPILENS_INSPECT_TARGET_TARGET_CRASH_H

#include "target/target.h"

#include <stdbool.h>
#include <sys/types.h>

struct crash {
    int signal;
    pid_t thread; /* that it came for */
};

/* Whether the process has died of a fault of its own: not where another process has asked for the core file, by a
 * signal or a debugger. False of what is no core file of this machine. */
bool target_find_crash(const struct target *target, struct crash *ret_crash);

#endif
