/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fake process, rank 1 of 2, that is asked about handles.
 */
#ifndef TESTS_UNIT_INSPECT_ASKED_PROCESS_H
#define TESTS_UNIT_INSPECT_ASKED_PROCESS_H

#include "collect/collect.h"
#include "fake_objects.h"
#include "opened_job.h"

enum { COMM_NULL = 0x04000000, REQUEST_NULL = 0x2c000000 };

extern struct asked_process {
    struct opened_job opened;
    struct fake_objects objects;
    struct text_pool names;
    struct group_pool groups;
    struct operation_details_pool details;
    struct process process;
    struct collection collection;
} asked;

/* Around each test. */
void asked_process_begin(void);
void asked_process_end(void);
/* Change the fake process before this call. */
void asked_process_read(void);

#endif
