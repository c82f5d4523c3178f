/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of lists of unexpected messages.
 */
#include "process/process.h"

#include "target/target.h"

#include <string.h>

void unexpected_list_free(struct unexpected_list *list)
{
    release(list->items);
    release(list->first);
    release(list->is_known);
    *list = (struct unexpected_list){0};
}

void listed_messages_free(struct listed_messages *listed)
{
    release(listed->items);
    *listed = (struct listed_messages){0};
}

int listed_messages_begin(const struct unexpected_list *list, size_t communicator, struct listed_messages *ret_listed)
{
    if (!list->is_known[communicator])
        return mqs_no_information;
    const size_t first = list->first[communicator];
    const size_t count = list->first[communicator + 1] - first;
    struct listed_messages listed = {
        .items = allocate_array(count, sizeof *listed.items),
        .count = count,
        .is_listing = true,
        .left_out = list->left_out,
    };
    if (listed.items == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    if (count > 0)
        memcpy(listed.items, list->items + first, count * sizeof *listed.items);
    listed_messages_free(ret_listed);
    *ret_listed = listed;
    return mqs_ok;
}
