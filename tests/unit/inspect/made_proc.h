/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A /proc made by hand, in a directory of its own.
 */
#ifndef MPILENS_TESTS_UNIT_INSPECT_MADE_PROC_H
#define MPILENS_TESTS_UNIT_INSPECT_MADE_PROC_H

#include <stddef.h>

/* The path of the directory. */
extern char made_proc[];

/* For a TestSuite: makes the directory, and removes it with all that is in it. */
void made_proc_begin(void);
void made_proc_end(void);

/* Writes a file of the process, such as "task/7/children", and makes the directories above it. */
void made_proc_write(int pid, const char *name, const char *bytes, size_t count);
void made_proc_write_text(int pid, const char *name, const char *text);

#endif
