/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The conformance kit: the functions that a debugger gives check_host.c to have its callbacks checked, and the file of
 * a target.
 */
#ifndef MPILENS_KIT_H
#define MPILENS_KIT_H

#include <mpilens/message_queue.h>

#include <stddef.h>

/* The memory of a process. A file: one line, "mpilens target 1: base 0x8048000, mpilens_process 0x8048000, 51696
 * bytes", and the bytes, which the process has from `base` on. Nothing else can be read of it, and it has one symbol.
 */
struct kit_target {
    mqs_taddr_t base;
    mqs_taddr_t symbol; /* address of mpilens_process */
    size_t bytes;
    unsigned char *memory; /* target_file_close frees it */
};

/* 0, or why not: a text. */
const char *target_file_open(const char *path, struct kit_target *ret_target);
void target_file_close(struct kit_target *target);

/* The debugger's side: write one of these in place of reference_host.c. `open` makes of a target what the debugger
 * makes of a process, and of its executable; NULL: it cannot. `close` forgets both. */
struct kit_host {
    const mqs_basic_callbacks *basic;
    const mqs_image_callbacks *image;
    const mqs_process_callbacks *process;
    mqs_process *(*open)(const struct kit_target *target, mqs_image **ret_image);
    void (*close)(mqs_process *process, mqs_image *image);
};
extern const struct kit_host kit_host;

#endif
