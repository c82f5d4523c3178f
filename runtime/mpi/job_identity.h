/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tells the job of this process apart from all others, found without communication.
 */
#ifndef MPILENS_RUNTIME_MPI_JOB_IDENTITY_H
#define MPILENS_RUNTIME_MPI_JOB_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* Writes it into `identity`, cut to `bytes` bytes, empty where nothing is known (layout.def says what it looks like).
 * Reads the environment and /proc: not for the hot path. */
void job_identity_find(char *identity, size_t bytes);

/* When this process was started, in ticks since the host was booted, as /proc says; 0: not known. */
uint64_t job_identity_process_start(void);

#endif
