/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A snapshot in a directory of its own, for tests that write, change and read it.
 */
#ifndef TESTS_SAVED_JOB_H
#define TESTS_SAVED_JOB_H

#include "snapshot/snapshot.h"

extern char *saved_directory;
extern char *saved_path; /* of the snapshot, in saved_directory */
extern struct reason saved_reason;

/* For TestSuite(): make and remove the directory, in which nothing else may be left. */
void saved_begin(void);
void saved_end(void);

void saved_write(struct job *job);
/* Reads all of it; the job is to be cleared. */
struct job saved_read(void);
/* Runs SQL on the file. */
void saved_change(const char *statements);
/* The bytes of the file, to be freed; and other bytes for it. */
char *saved_bytes(size_t *ret_bytes);
void saved_replace(const char *bytes, size_t count);

#endif
