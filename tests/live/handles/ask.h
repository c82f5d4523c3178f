/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The questions of handle_test.py to `mpilens handle`, and the right answers, written by the program that knows.
 */
#ifndef TESTS_ASK_H
#define TESTS_ASK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "../programs/expect_text.h"

#include <mpi.h>

/* After MPI_Init; rank in MPI_COMM_WORLD. */
int ask_begin(void);
/* Arguments behind the target, separated by spaces, and the answer: a part of HANDLE as JSON. Besides JSON: {"mark":
 * "m"} is the place LINE(m), {"any": [...]} is a list that has these elements among others, "*" is anything but null.
 */
__attribute__((format(printf, 2, 3))) void ask(const char *arguments, const char *answer, ...);
/* The same, but the command must fail, with this text. */
void ask_in_vain(const char *arguments, const char *text);
/* Tells the test that all is written. */
void ask_end(void);

/* Arguments of a kind and a C handle; valid until it has been called many times more. */
const char *ask_value(const char *kind, uint64_t value);
#define HANDLE_VALUE(handle)    handle_value(&(handle), sizeof(handle))
#define HANDLE_OF(kind, handle) ask_value(kind, HANDLE_VALUE(handle))
/* "0x..." of a handle, for answers. */
const char *ask_text(uint64_t value);
#define TEXT_OF(handle) ask_text(HANDLE_VALUE(handle))

#endif
