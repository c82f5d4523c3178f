/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much one copy of the state of a process may take. What the process says of itself cannot be believed: tables may
 * be said to be of any length, and memory that was never written costs the process nothing.
 */
#ifndef MPILENS_DLL_TARGET_COPY_BUDGET_H
#define MPILENS_DLL_TARGET_COPY_BUDGET_H

#include <stddef.h>
#include <stdint.h>

struct copy_budget {
    uint64_t left;      /* bytes */
    uint64_t written;   /* of those that were copied: in pages that have anything in them */
    uint64_t unwritten; /* the others */
};

/* A new copy begins, of a process whose runtime says that it has mapped so many bytes. */
void copy_budget_begin(struct copy_budget *budget, uint64_t runtime_bytes);

/* So many bytes more. mqs_ok or MPILENS_ERROR_BEYOND_BUDGET. */
int copy_budget_take(struct copy_budget *budget, uint64_t bytes);

/* These have come, of a table. The same. */
int copy_budget_note(struct copy_budget *budget, const uint8_t *bytes, size_t count);

#endif
