/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps the debugger's basic callbacks. One table per loaded DLL, as the interface has it.
 */
#include "target/callbacks.h"

static const mqs_basic_callbacks *callbacks;

void mqs_setup_basic_callbacks(const mqs_basic_callbacks *given)
{
    callbacks = given;
}

const mqs_basic_callbacks *basic_callbacks_exchange(const mqs_basic_callbacks *given)
{
    const mqs_basic_callbacks *before = callbacks;
    callbacks = given;
    return before;
}

const mqs_basic_callbacks *basic_callbacks(void)
{
    if (callbacks == NULL || callbacks->mqs_malloc_fp == NULL || callbacks->mqs_free_fp == NULL ||
        callbacks->mqs_put_image_info_fp == NULL || callbacks->mqs_get_image_info_fp == NULL ||
        callbacks->mqs_put_process_info_fp == NULL || callbacks->mqs_get_process_info_fp == NULL)
        return NULL;
    return callbacks;
}

void *allocate_array(size_t count, size_t element_bytes)
{
    if (element_bytes > 0 && count > SIZE_MAX / 2 / element_bytes)
        return NULL;
    /* Some debuggers' allocators answer 0 bytes with NULL. */
    size_t bytes = count * element_bytes;
    return callbacks->mqs_malloc_fp(bytes > 0 ? bytes : 1);
}

void release(void *memory)
{
    if (memory != NULL)
        callbacks->mqs_free_fp(memory);
}
