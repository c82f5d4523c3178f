/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that start ranks, by their names.
 */
#ifndef MPILENS_INSPECT_DISCOVER_LAUNCHER_NAMES_H
#define MPILENS_INSPECT_DISCOVER_LAUNCHER_NAMES_H

#include <stdbool.h>

/* Whether programs of this name, as the kernel cuts it, start ranks. */
bool is_launcher(const char *name);

#endif
