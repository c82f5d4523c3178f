/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The threads of the kernel, and programs that it starts itself: they have directories in /proc as other processes, a
 * large host has thousands of them, and they are in no job.
 */
#ifndef MPILENS_INSPECT_BASE_KERNEL_THREADS_H
#define MPILENS_INSPECT_BASE_KERNEL_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* By pid. Zero-initialised is empty. */
struct kernel_threads {
    pid_t *pids;
    size_t count;
};

/* None where they cannot be told from processes, or are not to be seen, as in containers; not all where some begin or
 * end meanwhile. `proc` as in process_files.h. */
struct kernel_threads kernel_threads_list(const char *proc);
bool kernel_threads_have(const struct kernel_threads *threads, pid_t pid);
void kernel_threads_clear(struct kernel_threads *threads);

#endif
