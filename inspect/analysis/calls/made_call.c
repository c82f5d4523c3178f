/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds what one member has called.
 */
#include "analysis/calls/calls.h"

#include <string.h>

bool made_call_find(const struct job_member *member, uint64_t serial, struct made_call *ret_made)
{
    const struct collective_call *call = collective_round_call(member, serial);
    if (call != NULL) {
        *ret_made = (struct made_call){.function = call->function,
                                       .small_count = call->small_count,
                                       .site = call->site,
                                       .root = call->has_root ? call->root : -1,
                                       .active = call->active};
        return true;
    }
    for (size_t i = 0; member->object == NULL && i < member->communicator->mark_count; i++) {
        const struct collective_mark *mark = &member->communicator->marks[i];
        if (mark->serial != serial)
            continue;
        *ret_made = (struct made_call){
            .function = mark->function, .small_count = mark->small_count, .site = mark->site, .root = mark->root};
        return true;
    }
    return false;
}

bool made_calls_have_same_function(const struct made_call *left, const struct made_call *right)
{
    return strcmp(function_of_any_count(left->function, left->small_count),
                  function_of_any_count(right->function, right->small_count)) == 0;
}
