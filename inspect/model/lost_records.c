/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes records that the runtime had no memory for.
 */
#include "model/model.h"

#include "base/base.h"

uint64_t count_lost_records(const struct process *process)
{
    return process->untracked_operations + process->untracked_objects;
}

bool process_has_lost_records(const struct process *process)
{
    return !process->is_identified_only && count_lost_records(process) > 0;
}

const char *describe_lost_records(const struct job *job)
{
    struct ranks ranks = {.count = 0};
    uint64_t lost = 0;
    bool is_any = false;
    for (size_t i = 0; i < job->process_count; i++) {
        if (!process_has_lost_records(&job->processes[i]))
            continue;
        is_any = true;
        ranks_add(&ranks, job->processes[i].rank);
        lost += count_lost_records(&job->processes[i]);
    }
    const char *name = ranks_name(&ranks);
    const char *text = !is_any
                           ? NULL
                           : arena_text("%s: %llu operations and objects were not recorded, because the memory limit "
                                        "of the runtime was reached: which messages %s received is not known",
                                        name, (unsigned long long)lost, ranks.count > 1 ? "they have" : "it has");
    return text;
}
