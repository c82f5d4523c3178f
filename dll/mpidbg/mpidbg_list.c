/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Grows arrays, and fills them with users and members.
 */
#include "mpidbg/mpidbg_list.h"

#include "replies/members.h"
#include "replies/users.h"
#include "target/allocator.h"

#include <limits.h>
#include <string.h>

/* More ranks than any job has: a size that the target made up is not to take all memory. */
enum { MOST_MEMBERS = 1 << 24 };

int answer_list_add(struct answer_list *list, const void *item)
{
    if (list->count == INT_MAX)
        return mqs_ok;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 4;
        uint8_t *items = allocate_array(capacity, list->item_bytes);
        if (items == NULL)
            return MPILENS_ERROR_NO_MEMORY;
        if (list->count > 0)
            memcpy(items, list->items, list->count * list->item_bytes);
        release(list->items);
        list->items = items;
        list->capacity = capacity;
    }
    memcpy((uint8_t *)list->items + list->count * list->item_bytes, item, list->item_bytes);
    list->count++;
    return mqs_ok;
}

void answer_list_free(struct answer_list *list)
{
    release(list->items);
    *list = (struct answer_list){.item_bytes = list->item_bytes};
}

int answer_copy(const void *items, size_t count, size_t item_bytes, void **ret_copy)
{
    *ret_copy = NULL;
    if (count == 0 || items == NULL)
        return mqs_ok;
    void *copy = allocate_array(count, item_bytes);
    if (copy == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    memcpy(copy, items, count * item_bytes);
    *ret_copy = copy;
    return mqs_ok;
}

int answer_list_users(const struct inquiry *inquiry, int kind, struct answer_list *ret_handles)
{
    *ret_handles = (struct answer_list){.item_bytes = sizeof(mqs_taddr_t)};
    int code = reply_setup_user_iterator(inquiry->info);
    struct mpilens_user_information user = {.struct_size = sizeof user};
    while (code == mqs_ok && (code = reply_next_user(inquiry->info, &user)) == mqs_ok)
        if ((kind == MPILENS_OBJECT_NONE || user.kind == (uint32_t)kind) && user.handle != 0) {
            const mqs_taddr_t handle = (mqs_taddr_t)user.handle;
            code = answer_list_add(ret_handles, &handle);
        }
    if (code == mqs_end_of_list || code == mqs_no_information)
        return mqs_ok;
    answer_list_free(ret_handles);
    return code;
}

static int expand(const struct mpilens_rank_range *ranges, size_t count, int size, struct answer_list *processes)
{
    struct mpidbg_process_t *process = allocate_array((size_t)size, sizeof *process);
    if (process == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    int rank = 0;
    for (size_t i = 0; i < count; i++)
        for (int32_t n = 0; n < ranges[i].count && rank < size; n++)
            process[rank++].mpi_comm_world_rank =
                ranges[i].first < 0 ? -1 : (int)(ranges[i].first + (int64_t)n * ranges[i].stride);
    while (rank < size)
        process[rank++].mpi_comm_world_rank = -1;
    processes->items = process;
    processes->count = processes->capacity = (size_t)size;
    return mqs_ok;
}

int answer_list_members(const struct inquiry *inquiry, int remote, int size, struct answer_list *ret_processes)
{
    *ret_processes = (struct answer_list){.item_bytes = sizeof(struct mpidbg_process_t)};
    size_t count = 0;
    int code = reply_get_members(inquiry->info, remote, NULL, 0, &count);
    if (code != mqs_ok || size <= 0 || size > MOST_MEMBERS)
        return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
    struct mpilens_rank_range *ranges = allocate_array(count, sizeof *ranges);
    if (ranges == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    code = reply_get_members(inquiry->info, remote, ranges, count, &count);
    if (code == mqs_ok)
        code = expand(ranges, count, size, ret_processes);
    release(ranges);
    return code == MPILENS_ERROR_NO_MEMORY ? code : mqs_ok;
}
