/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that outlives the process: mapped from a file, where the user wants one (MPILENS_KEEP names its directory).
 * The root is moved there, and what debuggers read comes from there as long as there is room; then from the system, as
 * without. The root says how far that has come (box_state).
 */
#ifndef MPILENS_RUNTIME_MEMORY_BLACK_BOX_H
#define MPILENS_RUNTIME_MEMORY_BLACK_BOX_H

#include "mpilens/black_box.h"

#include <stdbool.h>
#include <stddef.h>

/* Makes the file for this process, before anything that debuggers read is mapped. */
void black_box_open(const struct mpilens_box_process *process);

/* `bytes` (whole pages) of zeroed memory, never given back; NULL: there is no black box, or no room in it. */
void *black_box_take(size_t bytes);

/* The same, to be given back. */
void *black_box_take_block(size_t bytes);

/* Gives back what black_box_take_block has given for so many bytes; false: that is no such memory. */
bool black_box_give_back(void *memory, size_t bytes);

/* Whether memory is of the black box. */
bool black_box_has(const void *memory);

/* Notes what has been loaded since, so that addresses in it can be told. */
void black_box_note_modules(void);

/* Removes the file: nobody needs to read this process any more. */
void black_box_remove(void);

/* In a child after fork(): what was shared with the parent becomes the child's own, and the file stays the parent's. */
void black_box_leave(void);

#endif
