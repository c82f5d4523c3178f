/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills output structs of callers of other versions.
 */
#include "replies/replies.h"

#include <string.h>

static size_t size_of(const void *ret_struct)
{
    size_t size;
    memcpy(&size, ret_struct, sizeof size);
    return size;
}

bool reply_is_possible(const void *ret_struct)
{
    return ret_struct != NULL && size_of(ret_struct) > sizeof(size_t);
}

void reply_give(void *ret_struct, const void *filled, size_t bytes)
{
    size_t size = size_of(ret_struct);
    if (bytes > size)
        bytes = size;
    memcpy((char *)ret_struct + sizeof(size_t), (const char *)filled + sizeof(size_t), bytes - sizeof(size_t));
}

void reply_give_element(void *ret_array, size_t n, const void *filled, size_t bytes)
{
    const size_t distance = size_of(ret_array);
    char *element = (char *)ret_array + n * distance;
    memcpy(element, &distance, sizeof distance);
    reply_give(element, filled, bytes);
}

int reply_object(mqs_process_info *info, int kind, const void *ret_struct, const void **ret_record)
{
    if (!reply_is_possible(ret_struct))
        return MPILENS_ERROR_BAD_ARGUMENT;
    return process_info_current_object(info, kind, ret_record);
}

int reply_communicator(mqs_process_info *info, const void *ret_struct,
                       const struct communicator_view **ret_communicator)
{
    if (!reply_is_possible(ret_struct))
        return MPILENS_ERROR_BAD_ARGUMENT;
    return process_info_current_communicator(info, ret_communicator);
}
