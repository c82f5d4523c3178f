/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that looks like a runtime of another layout major: preloaded into any process, the command must refuse it.
 */
#include "mpilens/layout.h"

__attribute__((section(MPILENS_PROCESS_SECTION), visibility("default"))) struct mpilens_process mpilens_process = {
    .magic = MPILENS_MAGIC,
    .byte_order = MPILENS_BYTE_ORDER,
    .layout_major = 99,
    .layout_minor = 1,
    .word_size = sizeof(void *),
    .process_size = sizeof(struct mpilens_process),
};
