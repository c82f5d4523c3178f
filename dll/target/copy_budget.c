/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Limits the size of one copy of a process, in proportion to the memory that its runtime has mapped. A process that
 * claims more must really have written as much.
 */
#include "target/target.h"

#include "mpilens/extension.h"

#include <string.h>

/* Operations and objects are copied twice where the process goes on meanwhile, and decoded; arrays of the application
 * are in no proportion to the runtime's memory. */
static const uint64_t least_bytes = UINT64_C(1) << 26;
static const uint64_t bytes_per_byte = 4;
static const uint64_t most_runtime_bytes = UINT64_C(1) << 34;
/* Threads take records in advance and may never write to them. */
static const uint64_t most_unwritten_bytes = UINT64_C(1) << 23;

enum { PAGE_BYTES = 1 << 12 };

void copy_budget_begin(struct copy_budget *budget, uint64_t runtime_bytes)
{
    const uint64_t believed = runtime_bytes < most_runtime_bytes ? runtime_bytes : most_runtime_bytes;
    *budget = (struct copy_budget){.left = least_bytes + bytes_per_byte * believed};
}

int copy_budget_take(struct copy_budget *budget, uint64_t bytes)
{
    if (bytes > budget->left)
        return MPILENS_ERROR_BEYOND_BUDGET;
    budget->left -= bytes;
    return mqs_ok;
}

int copy_budget_note(struct copy_budget *budget, const uint8_t *bytes, size_t count)
{
    static const uint8_t zeros[PAGE_BYTES];
    for (size_t done = 0, part; done < count; done += part) {
        part = count - done < PAGE_BYTES ? count - done : PAGE_BYTES;
        *(memcmp(bytes + done, zeros, part) == 0 ? &budget->unwritten : &budget->written) += part;
    }
    return budget->unwritten > most_unwritten_bytes + budget->written ? MPILENS_ERROR_BEYOND_BUDGET : mqs_ok;
}
