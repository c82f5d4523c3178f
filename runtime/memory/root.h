/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root of the shadow state.
 */
#ifndef MPILENS_RUNTIME_MEMORY_ROOT_H
#define MPILENS_RUNTIME_MEMORY_ROOT_H

#include "mpilens/layout.h"

extern struct mpilens_process mpilens_process;

/* Where its section ends: whole pages that nothing else is in, where those of this machine are as large as expected. */
extern char mpilens__root_end[] __attribute__((visibility("hidden")));

/* What every function number is: generated, [mpilens_process.function_count]. */
extern const struct mpilens_function mpilens__functions[];

#endif
