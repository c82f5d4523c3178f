/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A list through what is kept for each process.
 */
#include "process/process.h"

static mqs_process_info *first;
static mqs_process_info *last;
static uint64_t version;

static void remove_former(const mqs_process_info *info)
{
    for (mqs_process_info *known = first, *after = NULL; known != NULL; known = after) {
        after = known->known.after;
        if (known->reading.target.process == info->reading.target.process &&
            known->owners.memory == info->owners.memory)
            known_processes_remove(known);
    }
}

void known_processes_add(mqs_process_info *info)
{
    remove_former(info);
    version++;
    info->known = (struct known_process){.before = last, .is_listed = 1};
    if (last != NULL)
        last->known.after = info;
    else
        first = info;
    last = info;
}

void known_processes_remove(mqs_process_info *info)
{
    struct known_process *place = &info->known;
    if (!place->is_listed)
        return;
    if (place->before != NULL)
        place->before->known.after = place->after;
    else
        first = place->after;
    if (place->after != NULL)
        place->after->known.before = place->before;
    else
        last = place->before;
    *place = (struct known_process){0};
}

mqs_process_info *known_processes_first(void)
{
    return first;
}

mqs_process_info *known_processes_after(const mqs_process_info *info)
{
    return info->known.after;
}

uint64_t known_processes_version(void)
{
    return version;
}
