/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The files that a target has mapped.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_MODULES_H
#define MPILENS_INSPECT_TARGET_TARGET_MODULES_H

#include "target/target.h"

void target_for_each_module(struct target *target, void (*visit)(void *context, const struct target_module *module),
                            void *context);

#endif
