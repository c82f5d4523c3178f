/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps the allocator in use.
 */
#include "target/target.h"

#include <stdint.h>

static const struct allocator *in_use;

const struct allocator *allocator_exchange(const struct allocator *given)
{
    const struct allocator *before = in_use;
    in_use = given;
    return before;
}

void *allocate_array(size_t count, size_t element_bytes)
{
    if (element_bytes > 0 && count > SIZE_MAX / 2 / element_bytes)
        return NULL;
    /* Some debuggers' allocators answer 0 bytes with NULL. */
    size_t bytes = count * element_bytes;
    return in_use->allocate(bytes > 0 ? bytes : 1);
}

void release(void *memory)
{
    if (memory != NULL)
        in_use->release(memory);
}
