/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This command as a debugger: the callbacks of the message-queue interface over a target.
 */
#ifndef MPILENS_INSPECT_COLLECT_DEBUGGER_CALLBACKS_H
#define MPILENS_INSPECT_COLLECT_DEBUGGER_CALLBACKS_H

#include "mpilens/message_queue.h"
#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>

struct mqs_image_ {
    struct target *target;
    mqs_image_info *information;
};

struct mqs_process_ {
    struct target *target;
    struct mqs_image_ image; /* one per process: which files are mapped differs */
    mqs_process_info *information;
};

extern const mqs_basic_callbacks debugger_basic_callbacks;

/* From now on the DLL gets so many bytes more than it has, and what it gives back. SIZE_MAX: any number. */
void debugger_set_budget(size_t bytes);
/* Whether it got nothing since then. */
bool debugger_exceeded_budget(void);
/* The most that it had since then. */
size_t debugger_used_of_budget(void);

extern const mqs_image_callbacks debugger_image_callbacks;
extern const mqs_process_callbacks debugger_process_callbacks;

#endif
