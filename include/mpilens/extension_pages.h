/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of extension.h about pages: all facts about an object, a request or a status, as lines for people. Print the
 * sentence of mpilens_summarize_object, mpilens_summarize_request or mpilens_summarize_status above the page.
 *
 * A line is a label and a text, and lines may stand below it:
 *
 *   handle                0x84000002
 *   last synchronization  MPI_Win_lock
 *   locks                 1
 *     rank 1              shared
 *
 * The debugger continues the text with " at " and the source line of `site`, or with the name of `function`, and then,
 * if it likes, with how long ago `time` was: "MPI_Win_lock at app.c:40 main, 12 s ago". Texts may hold what the
 * application has written: escape them.
 */
#ifndef MPILENS_EXTENSION_PAGES_H
#define MPILENS_EXTENSION_PAGES_H

#include "mpilens/extension_handles.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mpilens_page_line {
    size_t struct_size;
    uint32_t depth;    /* 0: at the margin; else it is below the last line before it whose depth is one less */
    uint32_t of_users; /* 1: it is about those who refer to the object; they may differ where all else is equal */
    uint64_t site;     /* return address of the call that the text names, 0: none or not known */
    uint64_t function; /* address of a function of the application, 0: none; the text is empty then */
    uint64_t time;     /* ticks, when that call returned; 0: does not matter */
    char label[512];   /* an entry of an info may have an empty key */
    char text[4096];   /* may be empty */
};

/* Makes the page of the current object. Like its users, that needs a whole copy. Unreadable parts are left out, and
 * endless lists are cut: their last line is "..." and "and more". */
int mpilens_setup_object_page(mqs_process *process);
/* Makes the page of a request from mpilens_next_request or mpilens_find_request. A null handle has no lines. */
int mpilens_setup_request_page(mqs_process *process, const struct mpilens_operation_information *request);
/* Makes the page of a status from mpilens_get_status. An ignored status has no lines. */
int mpilens_setup_status_page(mqs_process *process, const struct mpilens_status_information *status);
/* The next line of the page made last. The page lasts as long as the copy of the process. */
int mpilens_next_page_line(mqs_process *process, struct mpilens_page_line *ret_line);

#ifdef __cplusplus
}
#endif

#endif
