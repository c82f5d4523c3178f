/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fetches memory of the target through the debugger.
 */
#include "target/target.h"

#include <limits.h>

/* The callback takes an int. */
static const size_t largest_fetch = (size_t)INT_MAX & ~(size_t)0xfff;

int target_range_is_possible(const struct target *target, uint64_t address, uint64_t bytes)
{
    uint64_t last = target->word_size == 4 || sizeof(mqs_taddr_t) == 4 ? UINT32_MAX : UINT64_MAX;
    return address != 0 && address <= last && bytes <= last - address;
}

int target_fetch(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes)
{
    if (!target_range_is_possible(target, address, bytes))
        return MPILENS_ERROR_CORRUPT;
    unsigned char *into = ret_bytes;
    while (bytes > 0) {
        size_t part = bytes < largest_fetch ? bytes : largest_fetch;
        if (target->access->fetch(target, (mqs_taddr_t)address, (int)part, into) != mqs_ok)
            return MPILENS_ERROR_UNREADABLE;
        address += part;
        into += part;
        bytes -= part;
    }
    /* Orders the next fetch after this one, also on processors that reorder loads. */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return mqs_ok;
}
