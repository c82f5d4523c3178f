/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the processes of a job among all that are known, and reads them.
 */
#include "job/job_internal.h"

#include "process/process.h"
#include "target/target.h"

#include <string.h>

static bool are_of_one_job(const struct mpilens_process *one, const struct mpilens_process *other)
{
    return one->world_size == other->world_size && strcmp(one->job_identity, other->job_identity) == 0;
}

static bool is_unreadable(int code)
{
    return code == MPILENS_ERROR_UNREADABLE || code == MPILENS_ERROR_CORRUPT || code == MPILENS_ERROR_INCONSISTENT;
}

/* The copy of one that is known. NULL: it is of another job, or not of any, or left out. */
static mqs_process_info *take_copy(mqs_process_info *known, const struct mpilens_process *job, uint64_t *left_out)
{
    const struct mpilens_process *process = NULL;
    mqs_process_info *copy = NULL;
    int code = shared_copy_identify(known, &process);
    if (code == mqs_ok) {
        if (!are_of_one_job(process, job))
            return NULL;
        code = shared_copy_take(known, &copy);
    }
    *left_out += is_unreadable(code);
    return copy;
}

static struct sort_entry entry_of(mqs_process_info *copy, bool is_asker)
{
    const int32_t rank = copy->reading.root.process.world_rank;
    return (struct sort_entry){.major = (uint64_t)(int64_t)rank, .middle = !is_asker, .item = copy};
}

/* The process that is asked about comes first of those that have its rank, then what was set up first. */
static size_t list_copies(mqs_process_info *asker, struct sort_entry *entries, uint64_t *left_out)
{
    size_t count = 0;
    entries[count++] = entry_of(asker, true);
    for (mqs_process_info *known = known_processes_first(); known != NULL; known = known_processes_after(known)) {
        if (known == asker || known->owners.memory != asker->owners.memory)
            continue;
        mqs_process_info *copy = take_copy(known, &asker->reading.root.process, left_out);
        if (copy != NULL && copy->reading.root.process.world_rank >= 0)
            entries[count++] = entry_of(copy, false);
    }
    return count;
}

/* `entries`: as many as the list has room for. */
static void take_each_rank_once(mqs_process_info *asker, const struct sort_entry *entries, size_t count,
                                struct job_copies *copies)
{
    bool is_ambiguous = false;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && entries[i].major == entries[i - 1].major) {
            is_ambiguous = true;
            continue;
        }
        if (entries[i].item == asker)
            copies->asker = copies->count;
        copies->items[copies->count++] = (mqs_process_info *)entries[i].item;
    }
    if (!is_ambiguous || asker->reading.root.process.job_identity[0] != '\0')
        return;
    copies->items[0] = asker;
    copies->count = 1;
    copies->asker = 0;
}

static size_t count_known(void)
{
    size_t count = 0;
    for (const mqs_process_info *known = known_processes_first(); known != NULL; known = known_processes_after(known))
        count++;
    return count;
}

int job_copies_take(mqs_process_info *asker, struct job_copies *ret_copies)
{
    const size_t limit = 1 + count_known();
    struct job_copies copies = {.items = allocate_array(limit, sizeof(mqs_process_info *))};
    struct sort_entry *entries = allocate_array(limit, sizeof *entries);
    size_t count = 0;
    int code = MPILENS_ERROR_NO_MEMORY;
    if (copies.items != NULL && entries != NULL) {
        count = list_copies(asker, entries, &copies.left_out);
        code = sort_entries(entries, count);
    }
    if (code == mqs_ok)
        take_each_rank_once(asker, entries, count, &copies);
    release(entries);
    if (code == mqs_ok)
        *ret_copies = copies;
    else
        release(copies.items);
    return code;
}

void job_copies_free(struct job_copies *copies)
{
    release(copies->items);
    *copies = (struct job_copies){0};
}
