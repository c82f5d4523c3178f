/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the tests of mpid.h: a debugger of the draft over a fake target with objects of every kind and a thread.
 */
#ifndef TESTS_DLL_TESTED_DRAFT_H
#define TESTS_DLL_TESTED_DRAFT_H

#include "fake_contents.h"
#include "mpid_debugger.h"
#include "tested_job.h"

extern struct fake_contents draft_contents;
extern mpid_process_handle_t *draft_process;

void draft_open(void);
void draft_close(void);

/* The process has moved: a thread has made a call. */
void draft_move_on(void);

static inline langHandle in_c(uint64_t value)
{
    return (langHandle){.cType = value};
}

static inline langHandle in_fortran(int64_t value)
{
    return (langHandle){.fortranType = value};
}

/* The communicator of this C handle, which is found. */
mpid_comm_handle_t *draft_comm(uint64_t value);

/* Compare what a query gave, and free it. */
void draft_check_text(char *text, const char *expected);
void draft_check_numbers(int count, int *numbers, int expected_count, const int *expected);

#endif
