/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The head of the black box: what makes the file an ELF core file, and what is needed to read it without the process
 * (mpilens/black_box.h).
 */
#ifndef MPILENS_RUNTIME_MEMORY_BOX_HEAD_H
#define MPILENS_RUNTIME_MEMORY_BOX_HEAD_H

#include "mpilens/black_box.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BOX_SEGMENTS = 60,         /* as many at most, all in the first page with the ELF header */
    BOX_NOTES_OFFSET = 1 << 12 /* where notes begin */
};

/* Writes it into `head`, zeroed memory of the file's beginning of at least BOX_FIRST_BYTES. */
enum { BOX_FIRST_BYTES = 1 << 13 };
void box_head_write(void *head, const struct mpilens_box_process *process);

/* The next segment: memory at `address` that stands at `offset` of the file; false: there are too many. */
bool box_head_add_segment(void *head, const void *address, uint64_t offset, size_t bytes);

/* The segment with that memory is as long from now on. */
void box_head_resize_segment(void *head, const void *address, size_t bytes);

/* How many bytes the head has so far. */
size_t box_head_bytes(const void *head);

/* Adds a module. False: it takes more than `room` bytes in all. */
bool box_head_add_module(void *head, size_t room, const struct mpilens_box_module *module, const char *path);

/* Whether the last one that was added at that place is this one. */
bool box_head_has_module(const void *head, uint64_t start, const char *path);

#endif
