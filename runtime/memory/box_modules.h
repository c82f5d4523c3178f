/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The programs and libraries that are loaded, for the head of the black box.
 */
#ifndef MPILENS_RUNTIME_MEMORY_BOX_MODULES_H
#define MPILENS_RUNTIME_MEMORY_BOX_MODULES_H

#include "mpilens/black_box.h"

#include <stdbool.h>

/* Calls `visit` with each one if any was loaded since the last time; the program comes first. `path` is valid until it
 * returns. One thread at a time. */
void box_modules_visit(void (*visit)(const struct mpilens_box_module *module, const char *path));

#endif
