/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps the debugger's basic callbacks. One table per loaded DLL, as the interface has it.
 */
#include "target/target.h"

static const mqs_basic_callbacks *callbacks;

static void *allocate(size_t bytes)
{
    return callbacks->mqs_malloc_fp(bytes);
}

static void free_memory(void *memory)
{
    callbacks->mqs_free_fp(memory);
}

static const struct allocator of_callbacks = {allocate, free_memory};

const mqs_basic_callbacks *basic_callbacks_exchange(const mqs_basic_callbacks *given)
{
    const mqs_basic_callbacks *before = callbacks;
    callbacks = given;
    allocator_exchange(&of_callbacks);
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
