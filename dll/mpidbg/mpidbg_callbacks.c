/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps the callbacks of mpidbg_init_once, and takes memory through them.
 */
#include "mpidbg/mpidbg_internal.h"

#include "mpilens/mpidbg.h"
#include "target/target.h"

#include <string.h>

static const mqs_basic_callbacks *callbacks;

const mqs_basic_callbacks *inquiry_use_callbacks(const mqs_basic_callbacks *given)
{
    const mqs_basic_callbacks *before = callbacks;
    callbacks = given;
    return before;
}

const mqs_basic_callbacks *inquiry_enter(const mqs_basic_callbacks **ret_former)
{
    *ret_former = basic_callbacks_exchange(callbacks);
    const mqs_basic_callbacks *basic = basic_callbacks();
    if (basic == NULL)
        basic_callbacks_exchange(*ret_former);
    return basic;
}

void inquiry_leave(const mqs_basic_callbacks *former)
{
    basic_callbacks_exchange(former);
}

void *inquiry_allocate(size_t count, size_t bytes)
{
    void *memory = allocate_array(count, bytes);
    if (memory != NULL)
        memset(memory, 0, count * bytes);
    return memory;
}

int inquiry_release(void *object)
{
    const mqs_basic_callbacks *former;
    if (object == NULL || inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    release(object);
    inquiry_leave(former);
    return MPIDBG_SUCCESS;
}
