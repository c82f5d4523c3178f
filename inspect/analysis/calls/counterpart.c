/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds communicators that different ranks have in the same place.
 */
#include "analysis/calls/calls.h"

#include "model/model.h"

#include <string.h>

enum { MOST_COMPARED = 64 };

/* Those of one split have no member in common. Of large ones only the first members are looked at. */
static bool have_common_member(const struct communicator *one, const struct communicator *other)
{
    for (int32_t i = 0; one->group != NULL && other->group != NULL && i < one->size && i < MOST_COMPARED; i++)
        if (group_local_rank(other->group, group_world_rank(one->group, i)) >= 0)
            return true;
    return false;
}

const struct communicator *communicator_counterpart(const struct process *process, const struct communicator *like)
{
    const struct communicator *same = find_communicator(process, like->id);
    for (size_t i = 0; same == NULL && i < process->communicator_count; i++) {
        const struct communicator *other = &process->communicators[i];
        if (other->serial == like->serial && strcmp(other->name, like->name) == 0 &&
            strcmp(other->function, like->function) == 0 && other->size == like->size &&
            !have_common_member(other, like))
            return other;
    }
    return same;
}
