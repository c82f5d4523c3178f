/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The time stamp counter as it stood at the kernel's last timer tick. The kernel keeps it, for clock_gettime, in memory
 * that every process reads ([vvar]): reading it is a load, where reading the counter takes as long as all else that a
 * wrapper does. It is at most one tick old, 1 to 10 ms by the kernel's configuration: as CLOCK_MONOTONIC_COARSE.
 *
 * Linux does not promise where it stands (include/vdso/datapage.h). So it is looked for, and taken only where the
 * kernel's own clocks agree that it is the one; else the counter is read.
 */
#ifndef MPILENS_RUNTIME_MPI_KERNEL_TICK_H
#define MPILENS_RUNTIME_MPI_KERNEL_TICK_H

#include <stdint.h>

/* Where it stands. NULL: not known or not wanted. */
extern const uint64_t *mpilens__kernel_tick __attribute__((visibility("hidden")));

/* Looks for it. Once, before the first thread is known. */
void kernel_tick_find(void);

/* Now and then: whether the kernel still keeps it. */
void kernel_tick_check(void);

/* Never again: stamps of several threads must tell which came first. */
void kernel_tick_leave(void);

#endif
