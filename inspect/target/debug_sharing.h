/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Debug information that targets share. Ranks of a job have mapped the same files: through the first of them that has
 * opened the debug information of one the others look it up, too, as long as that target is open. Bounded; targets of
 * different threads share nothing, as libdwfl does not stand several threads.
 */
#ifndef MPILENS_INSPECT_TARGET_DEBUG_SHARING_H
#define MPILENS_INSPECT_TARGET_DEBUG_SHARING_H

#include "target/target.h"

#include <elfutils/libdwfl.h>

/* A module with the code at `address` of the target, of the target itself or of another one, and what the address is in
 * that one; NULL: in no module. Valid until one of both targets is closed. */
Dwfl_Module *debug_sharing_find(struct target *target, uint64_t address, uint64_t *ret_there);
/* Others may use the debug information of the module with that code, which was opened, unless `module` is of another
 * target. */
void debug_sharing_offer(struct target *target, uint64_t address, const Dwfl_Module *module);
/* Before the modules of the target go. */
void debug_sharing_end(const struct target *target);

#endif
