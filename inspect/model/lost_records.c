/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes records that the runtime had no memory for.
 */
#include "model/lost_records.h"

#include "base/allocation.h"
#include "base/rank_set.h"

#include <stdlib.h>

uint64_t count_lost_records(const struct process *process)
{
    return process->untracked_operations + process->untracked_objects;
}

bool process_has_lost_records(const struct process *process)
{
    return !process->is_identified_only && count_lost_records(process) > 0;
}

char *describe_lost_records(const struct job *job)
{
    int *ranks = allocate((job->process_count + 1) * sizeof *ranks);
    size_t count = 0;
    uint64_t lost = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        if (!process_has_lost_records(&job->processes[i]))
            continue;
        ranks[count++] = job->processes[i].rank;
        lost += count_lost_records(&job->processes[i]);
    }
    char *numbers = format_ranks(ranks, count);
    char *text = count == 0
                     ? NULL
                     : format_text("%s %s: %llu operations and objects were not recorded, because the memory limit "
                                   "of the runtime was reached: which messages %s received is not known",
                                   count > 1 ? "ranks" : "rank", numbers, (unsigned long long)lost,
                                   count > 1 ? "they have" : "it has");
    free(numbers);
    free(ranks);
    return text;
}
