/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When a process was started, which tells it from others that have its number before or after it.
 */
#ifndef MPILENS_INSPECT_BASE_PROCESS_START_H
#define MPILENS_INSPECT_BASE_PROCESS_START_H

#include <sys/types.h>

/* In ticks since the host was booted; 0: not known, or there is no such process. `proc` as in process_files.h. */
unsigned long long process_start(const char *proc, pid_t pid);
/* The same in seconds; -1: not known. */
double process_start_s(const char *proc, pid_t pid);

#endif
