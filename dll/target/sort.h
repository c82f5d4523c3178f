/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting with memory of the debugger (qsort of the C library takes its own).
 */
#ifndef MPILENS_DLL_TARGET_SORT_H
#define MPILENS_DLL_TARGET_SORT_H

#include <stddef.h>
#include <stdint.h>

struct sort_entry {
    uint64_t major;
    uint64_t middle;
    uint64_t minor;
    const void *item;
};

/* By major, then middle, then minor; equal ones keep their order. mqs_ok or MPILENS_ERROR_NO_MEMORY. */
int sort_entries(struct sort_entry *entries, size_t count);

/* Place of the first sorted entry whose major is not less; `count`: there is none. */
size_t sorted_place(const struct sort_entry *entries, size_t count, uint64_t major);

/* Item of the first sorted entry with this major, NULL: there is none. */
const void *sorted_item(const struct sort_entry *entries, size_t count, uint64_t major);

#endif
