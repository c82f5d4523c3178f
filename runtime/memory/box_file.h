/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file of the black box. No descriptor of it stays open: the program may close any.
 */
#ifndef MPILENS_RUNTIME_MEMORY_BOX_FILE_H
#define MPILENS_RUNTIME_MEMORY_BOX_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the file, which only the user may read, in a directory that is the user's own and that nobody else may write
 * into. A descriptor for the caller to close, or -1 and errno: EPERM where the directory is another one. */
int box_file_create(const char *directory, const char *host, long pid, uint64_t started);

/* A descriptor for the caller to close; -1: the file is not there any more, or cannot be opened as things stand now. */
int box_file_reopen(void);

/* Sets space aside, so that memory mapped from there is never without. False and errno: there is none. */
bool box_file_allocate(int file, uint64_t offset, uint64_t bytes);

/* If the file still has its name. */
void box_file_remove(void);

#endif
