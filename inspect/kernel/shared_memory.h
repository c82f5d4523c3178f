/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory that a process shares with others of its host: whether messages move through it.
 */
#ifndef MPILENS_INSPECT_KERNEL_SHARED_MEMORY_H
#define MPILENS_INSPECT_KERNEL_SHARED_MEMORY_H

#include <stdint.h>
#include <sys/types.h>

/* A number that tells what stands there, of some hundreds of pages that are spread over all that the process may write
 * and that is in memory: another one, almost surely, where that has changed. 0: there is none, or it cannot be read. */
uint64_t shared_memory_digest(pid_t pid);

#endif
