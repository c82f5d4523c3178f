/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A living process, as a debugger gives it to libmpilens_dll.so: the library reads through these callbacks and nothing
 * else. The process is only read; it runs on.
 */
#ifndef LIVING_PROCESS_H
#define LIVING_PROCESS_H

#include <mpilens/message_queue.h>
#include <stdbool.h>
#include <sys/types.h>

/* Both are the debugger's: the library knows only that they exist. It keeps something of its own with each. */
struct mqs_image_ {
    mqs_image_info *information;
    pid_t pid;
};

struct mqs_process_ {
    mqs_process_info *information;
    struct mqs_image_ image;
};

/* False: there is no such process, or it may not be read; errno says why. */
bool living_process_open(pid_t pid, struct mqs_process_ *ret_process);

extern const mqs_basic_callbacks living_basic_callbacks;
extern const mqs_image_callbacks living_image_callbacks;
extern const mqs_process_callbacks living_process_callbacks;

#endif
