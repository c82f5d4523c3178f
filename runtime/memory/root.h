/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The root of the shadow state.
 */
#ifndef MPILENS_RUNTIME_MEMORY_ROOT_H
#define MPILENS_RUNTIME_MEMORY_ROOT_H

#include "mpilens/layout.h"

extern struct mpilens_process mpilens_process;

/* What every function number is: generated, [mpilens_process.function_count]. */
extern const struct mpilens_function mpilens__functions[];

#endif
