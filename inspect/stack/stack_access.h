/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The stacks of a target held still while libdwfl unwinds them.
 */
#ifndef MPILENS_INSPECT_STACK_STACK_ACCESS_H
#define MPILENS_INSPECT_STACK_STACK_ACCESS_H

#include "base/base.h"
#include "target/target.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>

struct stack_access {
    struct target *target;
    struct freeze freeze; /* of a living process that this access holds */
};

/* Freezes a living process, unless this process has stopped it already. 0 and an access to be ended, or -1 and a
 * reason; then the process runs. */
int stack_access_begin(struct target *target, bool is_stopped, struct stack_access *ret_access,
                       struct reason *ret_reason);
void stack_access_end(struct stack_access *access);

/* Hands frames of a thread to `take`, innermost first, until it returns something else than DWARF_CB_OK. 0: all of
 * them; else there are more, or they cannot be unwound further. */
int stack_access_walk(const struct stack_access *access, pid_t thread, int (*take)(Dwfl_Frame *frame, void *argument),
                      void *argument);

#endif
