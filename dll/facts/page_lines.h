/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lines of a page (extension_pages.h), in the order in which they are added.
 */
#ifndef MPILENS_DLL_FACTS_PAGE_LINES_H
#define MPILENS_DLL_FACTS_PAGE_LINES_H

#include "mpilens/extension.h"

#include <stdbool.h>

struct page_line {
    uint32_t depth;
    bool of_users;
    uint64_t site;
    uint64_t function;
    uint64_t time;
    size_t label; /* where it begins in `texts` */
    size_t text;  /* likewise */
};

/* Zero-initialised: no lines. */
struct page_lines {
    struct page_line *lines;
    size_t count;
    size_t capacity;
    char *texts; /* terminated, one after the other */
    size_t text_bytes;
    size_t text_capacity;
    bool of_users; /* of the lines that are added from now on */
    bool is_full;  /* further lines are left out */
    int code;      /* mqs_ok, or MPILENS_ERROR_NO_MEMORY: there are fewer lines than were added */
    size_t next;   /* to be delivered */
};

/* Adds a line; copies the texts. */
void page_add(struct page_lines *page, uint32_t depth, const char *label, const char *text);
__attribute__((format(printf, 4, 5))) void page_write(struct page_lines *page, uint32_t depth, const char *label,
                                                      const char *format, ...);
/* Adds a line that names a call: its return address and when it returned, 0: not known. */
void page_add_call(struct page_lines *page, uint32_t depth, const char *label, const char *text, uint64_t site,
                   uint64_t time);
/* Adds a line that is a function; nothing where its address is 0. */
void page_add_function(struct page_lines *page, const char *label, uint64_t function);
/* Says that lines of this depth are left out. */
void page_add_more(struct page_lines *page, uint32_t depth);

/* What people call a thing: "row (0x84000002)", "0x84000002", "MPI_INT"; `name` may be empty, `handle` 0. */
struct page_name {
    char text[320];
};
struct page_name page_name(uint64_t handle, const char *name);

void page_lines_free(struct page_lines *page);

#endif
